import {
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
} from 'restitch/svelte'
import type { Use } from '../../src/testing/contract/Adapter.ts'

/** Each kind of function. One that waits is a component of its own. */
export const FUNCTIONS: Record<Use['kind'], (of: any, args: any) => any> = {
  data: (of, args) => createData(of, ...(args as [])),
  suspense: (of, args) => createData(of, ...(args as [])),
  query: (of, args) => createQuery(of, ...(args as [])),
  infinite: (of, args) => createInfinite(of, ...(args as [])),
  live: (of, args) => createLive(of, ...(args as [])),
  mutation: (of) => createMutation(of),
  undoable: (of) => createUndoable(of),
  all: (of, [list]) => createDataAll(() => list().map((one: unknown) => [of, one])),
  cancelling: (of, args) => createCancelling(of, ...(args as [])),
  count: () => createFetching(),
  mutations: (of) => createMutations(of),
}
