import {
  AsyncBoundary,
  createCancelling,
  createData,
  createDataAll,
  createFetching,
  createInfinite,
  createLive,
  createMutation,
  createMutations,
  createQuery,
  createUndoable,
} from 'restitch/solid'
import { createComponent, createSignal, type JSX, type Setter } from 'solid-js'
import type { Use } from '../../src/testing/contract/Adapter.ts'

/** Each kind of function, as an object with members. */
export const FUNCTIONS: Record<Use['kind'], (of: any, args: any) => any> = {
  data: (of, args) => createData(of, ...(args as [])),
  suspense: (of, args) => calling(createData(of, ...(args as []))),
  query: (of, args) => calling(createQuery(of, ...(args as []))),
  infinite: (of, args) => createInfinite(of, ...(args as [])),
  live: (of, args) => calling(createLive(of, ...(args as []))),
  mutation: (of) => createMutation(of),
  undoable: (of) => createUndoable(of),
  mutations: (of) => {
    const calls = createMutations(of)
    return {
      get calls() {
        return calls()
      },
    }
  },
  all: (of, [list]) => createDataAll(() => list().map((one: unknown) => [of, one])),
  cancelling: (of, args) => createCancelling(of, ...(args as [])),
  count: () => {
    const count = createFetching()
    return {
      get count() {
        return count()
      },
    }
  },
}

function calling(data: () => unknown): { readonly data: unknown } {
  return {
    get data() {
      return data()
    },
  }
}

export interface Probes {
  readonly results: any[]
  readonly set: Setter<readonly any[]>[]
  /** The components. */
  readonly show: () => JSX.Element
}

/** @param paragraph makes the element with a text, which a compiler writes otherwise for a server than for a browser */
export function createProbes(uses: readonly Use[], paragraph: (text: () => string) => JSX.Element): Probes {
  const results: any[] = []
  const set: Setter<readonly any[]>[] = []
  const probe = ({ kind, of, args: given = [], show }: Use, index: number): JSX.Element => {
    const [args, setArgs] = createSignal(given)
    set[index] = setArgs
    const values = given.map((_, at) => () => args()[at] as unknown)
    const result = (results[index] = FUNCTIONS[kind](of, values))
    // A function that suspends returns `undefined` until there is data: Solid does not stop it.
    return paragraph(() => (kind === 'suspense' && result.data === undefined ? '' : String(show(result))))
  }
  const show = (): JSX.Element =>
    uses.map((use, index) =>
      createComponent(AsyncBoundary, {
        get fallback() {
          return paragraph(() => 'loading')
        },
        error: (error: Error) => paragraph(() => `failed: ${error.message}`),
        get children() {
          return createComponent(() => probe(use, index), {})
        },
      }),
    )
  return { results, set, show }
}
