import { deserializeState, serializeState } from '../client/serialize.ts'
import type { Controller } from '../controller/Controller.ts'
import { initialState } from '../store/initialState.ts'
import { button, h } from './dom.ts'

/** Buttons that save the state of a store to a file, and load it from one. */
export function stateButtons(
  controllerOf: () => Controller | undefined,
  isPast: () => boolean,
  say: (text: string) => void,
): HTMLElement[] {
  const load = async (): Promise<void> => {
    const text = await file.files?.[0]?.text()
    file.value = ''
    const controller = controllerOf()
    if (isPast()) {
      say('This is an earlier state. Go back to now first.')
    } else if (text !== undefined && controller) {
      say(loadState(controller, text) ? 'The state was loaded.' : 'This file has no state of a store.')
    }
  }
  const file = h('input', { type: 'file', accept: '.json', hidden: true, on: { change: () => void load() } })
  const save = ({ currentTarget }: Event): void => {
    const controller = controllerOf()
    if (controller) {
      saveState(controller, (currentTarget as Element).ownerDocument)
    }
  }
  return [
    button('Save state', save, { class: 'wide' }),
    button('Load state', () => file.click(), { class: 'wide' }),
    file,
  ]
}

function saveState(controller: Controller, page: Document): void {
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
function loadState(controller: Controller, text: string): boolean {
  const state = deserializeState(text)
  if (state === initialState) {
    return false
  }
  // In one task, so that readers see the new state and never an empty store.
  void controller.resetEntireStore()
  controller.core.restore(state)
  return true
}
