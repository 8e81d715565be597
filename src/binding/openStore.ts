import { warnOfSharedStore } from '../advice/misuse.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { createStore, type Store, type StoreOptions } from '../client/createStore.ts'
import { setPage } from './onServer.ts'

/** The options of a store, or a store. */
export interface ProviderOptions extends Pick<
  StoreOptions,
  'managers' | 'initialState' | 'Controller' | 'gcPolicy' | 'spread'
> {
  /** A store that was made outside; it is neither started nor stopped. */
  readonly store?: Store | undefined
}

/** How messages name what an app calls. */
interface ProviderNames {
  /** The provider, such as `<DataProvider>`. */
  readonly provider: string
  /** Its replacement on a server. */
  readonly server: string
}

/** The store of a provider, which starts and stops it. A store that was given is checked. */
export function openStore(
  { store, managers, initialState, Controller, gcPolicy, spread }: ProviderOptions,
  { provider, server }: ProviderNames,
): Store {
  const options = { managers, initialState, Controller, gcPolicy, spread }
  if (store) {
    const name = DEV && Object.keys(options).find((one) => options[one as keyof typeof options] !== undefined)
    if (DEV && name) {
      throw fail(
        'provider-props',
        name,
        `${provider} was given "store" and "${name}". A store has its own: give "${name}" to createStore().`,
      )
    }
    return store
  }
  if (DEV && typeof window === 'undefined') {
    warnOnce(
      `${provider} is used on a server. Data that its components fetch does not reach the page: use ${server} there.`,
    )
  }
  const made = createStore({ ...options, start: false })
  // It costs the rows of that time that have changed since, so it is kept only where a page may be hydrated.
  if (initialState) {
    setPage(made.controller, made.getState())
  }
  return made
}

/** Warns about a store that a server renders more than once. `use` makes another one. */
export function checkStore(store: Store, use: string): void {
  if (DEV) {
    warnOfSharedStore(store, use)
  }
}
