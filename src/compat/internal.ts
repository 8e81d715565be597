import * as actions from './createActions.ts'
import { MemoCache } from './lowLevel.ts'
import { INVALID } from '../schema/Schema.ts'
import { initialState } from '../store/initialState.ts'
import type { State } from '../store/stateShape.ts'

/**
 * Parts that tools of the library use; they may change at any time.
 *
 * @example
 * const { initialState } = __INTERNAL__
 * @see docs/api/compat.md#__internal__
 */
export const __INTERNAL__: {
  readonly initialState: State
  readonly INVALID: typeof INVALID
  readonly MemoCache: typeof MemoCache
  readonly actions: typeof actions
} = { initialState, INVALID, MemoCache, actions }
