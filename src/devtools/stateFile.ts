import { deserializeState, serializeState } from '../client/serialize.ts'
import type { Controller } from '../controller/Controller.ts'
import { initialState } from '../store/State.ts'
import { h } from './dom.ts'

/** Lets the user save the state of a store to a file. */
export function saveState(controller: Controller, page: Document): void {
  const blob = new Blob([serializeState(controller.getState())], { type: 'application/json' })
  const address = URL.createObjectURL(blob)
  const time = new Date(controller.clock.now()).toISOString().slice(0, 19).replaceAll(':', '-')
  const anchor = h('a', { href: address, download: `restitch-${time}.json` })
  page.body.append(anchor)
  anchor.click()
  anchor.remove()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Replaces the state of a store by that of a file; false if the file has none. */
export function loadState(controller: Controller, text: string): boolean {
  const state = deserializeState(text)
  if (state === initialState) {
    return false
  }
  // In one task, so that readers see the new state and never an empty store.
  void controller.resetEntireStore()
  controller.core.restore(state)
  return true
}
