// The table at the top of relation.ts, line by line.
import { expect, test } from 'vitest'
import { type Relation, relation } from './relation.ts'

type Kind = 'read' | 'mutation' | 'set'
const meta = (kind: Kind, sent: number, at: number): { kind: Kind; sent: number; at: number } => ({ kind, sent, at })

test.each<[string, Kind, number, [Kind, number, number] | undefined, number, Relation]>([
  ['a read from before the row was deleted', 'read', 3, undefined, 5, 'formerLife'],
  ['a write from before the row was deleted', 'mutation', 3, ['mutation', 1, 2], 5, 'after'],
  ['a read from after the row was deleted', 'read', 5, ['mutation', 4, 5], 5, 'after'],
  ['nothing is stored', 'read', 3, undefined, 0, 'after'],
  ['no overlap', 'read', 3, ['mutation', 1, 3], 0, 'after'],
  ['a write over a read', 'mutation', 3, ['read', 1, 4], 0, 'wins'],
  ['a write over a read that was sent later', 'mutation', 3, ['read', 4, 5], 0, 'wins'],
  ['an event over a read', 'set', 3, ['read', 1, 4], 0, 'wins'],
  ['a read under a write', 'read', 3, ['mutation', 1, 4], 0, 'loses'],
  ['a read under an event', 'read', 3, ['set', 4, 4], 0, 'loses'],
  ['of two reads the later one', 'read', 3, ['read', 1, 4], 0, 'wins'],
  ['of two reads the earlier one', 'read', 3, ['read', 4, 5], 0, 'loses'],
  ['of two writes the later one', 'mutation', 3, ['mutation', 1, 4], 0, 'wins'],
  ['of two writes the earlier one', 'mutation', 3, ['set', 4, 4], 0, 'loses'],
  ['two of one request', 'mutation', 3, ['mutation', 3, 4], 0, 'wins'],
])('ORD-1 ORD-2 ORD-4 %s', (_name, kind, sent, holder, gone, expected) => {
  expect(relation(meta(kind, sent, 9), holder && meta(...holder), gone)).toBe(expected)
})
