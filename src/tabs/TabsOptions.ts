/**
 * Options of `tabs`. In a store with `persist`, name, version and user are those of its database.
 *
 * @example
 * const options: TabsOptions = { name: 'shop', user: () => localStorage.getItem('userId') }
 * @see docs/api/tabs.md
 */
export interface TabsOptions {
  /** The name of the app on this origin; by default `restitch`. */
  readonly name?: string | undefined
  /** The version of the app's data; by default 1. Tabs of different versions do not talk. */
  readonly version?: number | undefined
  /** The id of the user who is signed in; `undefined` for nobody. */
  readonly user?: (() => string | number | null | undefined) | undefined
}
