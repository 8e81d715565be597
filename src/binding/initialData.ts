import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { deserializeState } from '../client/serialize.ts'
import { initialState } from '../store/initialState.ts'
import type { State } from '../store/stateShape.ts'

/** Where the state stands in the page, unless another name is given. */
export const DEFAULT_ID = 'restitch-data'

/** The name that other servers give it. */
const OTHER_ID = 'data-client-data'

/**
 * The state that the server wrote into the page; an empty one where there is none, or none that can be read.
 *
 * @example
 * hydrateRoot(element, <DataProvider initialState={getInitialData()}><App /></DataProvider>)
 * @see docs/api/getInitialData.md
 */
export function getInitialData(id?: string): State {
  const element = find(id)
  return element ? deserializeState(element.textContent ?? '') : initialState
}

/**
 * Waits for the state that the server writes into the page, while the page is still coming. Rejects when it has none.
 *
 * @example
 * const initialState = await awaitInitialData()
 * hydrateRoot(element, <DataProvider initialState={initialState}><App /></DataProvider>)
 * @see docs/api/awaitInitialData.md
 */
export function awaitInitialData(id?: string): Promise<State> {
  return new Promise((resolve, reject) => {
    whileLoading((isComplete, end) => {
      const element = find(id)
      if (element && (isComplete || isWhole(element.textContent))) {
        end()
        resolve(getInitialData(id))
      } else if (isComplete) {
        reject(
          fail(
            'initial-data-missing',
            id ?? DEFAULT_ID,
            DEV &&
              `The page has no element "${id ?? DEFAULT_ID}" with the state of the server. Render <ServerDataComponent /> there, or in Vue renderState(), with the same id.`,
          ),
        )
      }
    })
  })
}

/** Looks now, and at every change of the page until all of it is there, or until `look` calls `end`. */
export function whileLoading(look: (isComplete: boolean, end: () => void) => void): void {
  const isLoading = document.readyState === 'loading'
  const observer =
    isLoading && typeof MutationObserver === 'function' ? new MutationObserver(() => look(false, end)) : undefined
  const finish = (): void => {
    end()
    look(true, end)
  }
  const end = (): void => {
    observer?.disconnect()
    document.removeEventListener('DOMContentLoaded', finish)
  }
  observer?.observe(document, { childList: true, characterData: true, subtree: true })
  if (isLoading) {
    document.addEventListener('DOMContentLoaded', finish)
  }
  look(!isLoading, end)
}

/** A text may come in parts. */
export function isWhole(json: string | null): boolean {
  try {
    return !!json && !!JSON.parse(json)
  } catch {
    return false
  }
}

function find(id: string | undefined): HTMLElement | null {
  return document.getElementById(id ?? DEFAULT_ID) ?? (id === undefined ? document.getElementById(OTHER_ID) : null)
}

/** The same JSON, without characters that mean something to a page: data cannot end its script and begin another. */
export function escapeJson(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
