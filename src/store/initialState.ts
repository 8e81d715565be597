import { stateOf } from './State.ts'
import type { State } from './stateShape.ts'

/** The state of a store in which nothing has happened. */
export const initialState: State = /* @__PURE__ */ stateOf({ now: 0, lastReset: 0, tables: [], results: [] })
