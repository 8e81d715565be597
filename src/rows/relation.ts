// How an incoming response relates to what is stored
//
// | the response                                             | relation     | what it does to the row                     |
// | -------------------------------------------------------- | ------------ | ------------------------------------------- |
// | is a read, sent before the row was deleted               | `formerLife` | nothing: it tells of a former life          |
// | was sent after the stored one had arrived                | `after`      | replaces the fields it has                  |
// | overlaps it: a write and a read                          | `wins`       | replaces the fields it has                  |
// | overlaps it: a read and a write                          | `loses`      | fills in the fields that nothing else holds |
// | overlaps it: both reads, or both writes, and sent later  | `wins`       | replaces the fields it has                  |
// | overlaps it: both reads, or both writes, and sent before | `loses`      | fills in the fields that nothing else holds |
//
// Two responses overlap if each was sent before the other arrived. Where a mutation is part of an overlap and the two differ, the row is
// in doubt besides; the caller knows the values.

import { isWrite, type Meta } from './Meta.ts'

type Numbers = Pick<Meta, 'sent' | 'at' | 'kind'>

export type Relation = 'after' | 'wins' | 'loses' | 'formerLife'

/**
 * @param holder the stored response: of the row, or of one of its fields
 * @param gone when the row was last deleted
 */
export function relation(incoming: Numbers, holder: Numbers | undefined, gone = 0): Relation {
  if (!isWrite(incoming) && incoming.sent < gone) {
    return 'formerLife'
  }
  if (holder === undefined || incoming.sent >= holder.at) {
    return 'after'
  }
  const isSameKind = isWrite(incoming) === isWrite(holder)
  const wins = isSameKind ? incoming.sent >= holder.sent : isWrite(incoming)
  return wins ? 'wins' : 'loses'
}
