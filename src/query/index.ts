export { first, skip, sortBy, take, where, type Count, type SortKey } from './operators.ts'
export type { Direction, Key } from './compareKeys.ts'
export { query } from './query.ts'
export type { LiveQuery, Operator } from './types.ts'
