import { createStore, type Store } from '../../client/createStore.ts'
import { Entity } from '../../kinds/Entity.ts'
import { TestClock } from '../TestClock.ts'

/** The hook that a component uses, by what it is for. */
export type Kind =
  | 'data'
  | 'suspense'
  | 'query'
  | 'infinite'
  | 'live'
  | 'mutation'
  | 'undoable'
  | 'count'
  | 'mutations'
  /** One endpoint with each item of the first argument: their `states`. */
  | 'all'
  /** The `endpoint` with a signal. */
  | 'cancelling'

/** A component with one hook, which shows a text. */
export interface Use {
  readonly kind: Kind
  /** The endpoint, the schema, or an endpoint with options. */
  readonly of?: any
  readonly args?: readonly any[]
  /** Reads the members of the result as a template does. */
  readonly show: (result: any) => unknown
}

/** Components on the screen. */
export interface Screen {
  /** The texts of the components, with a bar between them. "loading" and "failed: …" where a boundary shows. */
  text(): string
  /** The last result of the hook of a component, with plain members. */
  result(index?: number): any
  /** Gives the hook of a component other arguments. */
  setArgs(args: readonly any[], index?: number): Promise<void>
  /** Does something, and lets the screen follow. */
  settle<T>(run?: () => T | Promise<T>): Promise<T>
  unmount(): Promise<void>
}

/** A binding, as the contract uses it. */
export interface Adapter {
  readonly name: string
  /** @param twice as in the Strict Mode of React: each component mounts, unmounts and mounts again */
  mount(store: Store, uses: readonly Use[], twice?: boolean): Promise<Screen>
  /** Mounts what throws: without a store, or in its provider. Returns the error. */
  mountWrong(use: Use, store?: Store): Promise<unknown>
  /** The page of that name (`pages.ts`) from a server: its HTML inside of `#app`, followed by the script with the state. */
  render(page: string): Promise<{ readonly html: string; readonly calls: readonly string[] }>
  /** Hydrates what is in the document. `warnings` has what the framework says about it. */
  hydrate(uses: readonly Use[]): Promise<Screen & { readonly warnings: readonly unknown[] }>
}

/** One clause of the contract. */
export type Clause = readonly [title: string, run: (adapter: Adapter) => Promise<void>]

export class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

/** A store whose clock the test moves. */
export function open(options: object = {}): { clock: TestClock; store: Store } {
  const clock = new TestClock()
  return { clock, store: createStore({ clock, random: () => 0.5, ...options }) }
}

/** Shows data in a component, and counts how often. */
export function counted(show: (result: any) => unknown): Use['show'] & { times: number } {
  const one = (result: any): unknown => {
    one.times++
    return show(result)
  }
  one.times = 0
  return one
}

/** The title, or why there is none. */
export function showTitle({ data, loading, error }: any): string {
  return loading ? 'loading' : error ? `failed: ${error.message}` : String(data?.title)
}
