import type { Store } from '../client/createStore.ts'
import { Core } from '../controller/Core.ts'
import { deserializeState, serializeState } from '../client/serialize.ts'
import { type Dump, dumpOf, stateOf } from '../store/State.ts'
import type { State } from '../store/stateShape.ts'
import { setPage } from './onServer.ts'
import type { StateScript } from './stateScript.ts'
import { escapeJson, isWhole, whileLoading } from './initialData.ts'

/** On the server: each call returns what has arrived since the last one, as a script element. */
export function createChunks(store: Store): (id: string) => StateScript | undefined {
  const sent = new Map<string, readonly unknown[]>()
  let last: State | undefined
  return (id) => {
    const state = store.getState()
    if (state === last) {
      return undefined
    }
    last = state
    const dump = dumpOf(state)
    let count = 0
    const isNew = (table: string, [pk, ...row]: readonly [string, ...unknown[]]): boolean => {
      const name = `${table}\n${pk}`
      const before = sent.get(name)
      // A row that is written again has new times.
      if (before && before[0] === row[0] && before[1] === row[1]) {
        return false
      }
      sent.set(name, row)
      count++
      return true
    }
    const part: Dump = {
      ...dump,
      tables: dump.tables.map(([key, rows]) => [key, rows.filter((row) => isNew(`row ${key}`, row))]),
      results: dump.results.filter((row) => isNew('result', row)),
    }
    if (count === 0) {
      return undefined
    }
    const attributes = { type: 'application/json', 'data-restitch': id }
    return { attributes, text: escapeJson(serializeState(stateOf(part))) }
  }
}

/** In the browser: gives a store what the server sends until the page is there, and keeps what the page shows. */
export function takeChunks(store: Store, id: string): void {
  const { controller } = store
  // Parts of the page that hydrate late still show the state of the server.
  const page = new Core(controller.clock)
  const taken = new Set<Element>()
  whileLoading((isComplete) => {
    for (const element of document.querySelectorAll<HTMLElement>('script[data-restitch]')) {
      const { textContent: text, dataset } = element
      if (dataset['restitch'] !== id || taken.has(element) || !(isComplete || isWhole(text))) {
        continue
      }
      taken.add(element)
      const state = deserializeState(text ?? '')
      page.restore(state)
      setPage(controller, page.getState())
      controller.core.restore(state)
    }
  })
}
