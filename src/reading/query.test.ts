import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stableKey } from '../base/stableKey.ts'
import { User } from '../testing/entities.ts'
import { link, Node, parentsOf } from '../rows/Node.ts'
import { Queries, queryNode, rowsOf, sourcesOf } from './query.ts'
import { Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'

/** Values of arguments, with members in any order. */
const argument = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, undefined, 1, 2, '1', 'a', true),
    fc.constant(new Date(0)),
    fc.array(tie('any'), { maxLength: 2 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', '1', 'toJSON'), tie('any')), {
        maxLength: 3,
        selector: ([name]) => name,
      })
      .map(Object.fromEntries),
  ),
})).any

/** Arguments as text, in which `null` would be the same as `undefined`. */
const nameOf = (args: readonly unknown[]): string => stableKey(args) + (args[0] === null)

test('DEN-2 property: queries are one exactly where their arguments are equal, in whichever order their members stand', () => {
  fc.assert(
    fc.property(fc.array(fc.array(argument, { maxLength: 2 }), { minLength: 2, maxLength: 6 }), (all) => {
      const queries = new Queries()
      const turned = (value: any): any =>
        Array.isArray(value)
          ? value.map(turned)
          : typeof value === 'object' && value !== null && !(value instanceof Date)
            ? Object.fromEntries(
                Object.entries(value as object)
                  .toReversed()
                  .map(([name, part]) => [name, turned(part)]),
              )
            : value
      for (const a of all) {
        expect(queries.node(User, turned(a) as any[])).toBe(queries.node(User, a))
        for (const b of all) {
          expect(queries.node(User, a) === queries.node(User, b)).toBe(nameOf(a) === nameOf(b))
        }
      }
      expect(queries.node(User, [])).not.toBe(queries.node(class extends User {}, []))
    }),
  )
})

test('DEN-13 of more than 400 queries without readers those read last are kept', () => {
  const queries = new Queries()
  const row = new Node('entity', User, undefined)
  const read = (id: number): Node => {
    const node = queries.node(User, [id])
    node.value = id
    link(node, [row])
    return node
  }
  const [mounted, part, old, used] = [0, 1, 2, 3].map(read) as [Node, Node, Node, Node]
  mounted.aside!.view = { isMounted: true, changed: () => {}, aged: () => {} }
  old.aside!.view = { isMounted: false, changed: () => {}, aged: () => {} }
  link(queryNode(User, []), [part])
  for (let id = 4; id < 401; id++) {
    read(id)
    queries.use(used)
  }
  expect((row.up as Set<Node>).size).toBe(203)
  expect([old.value, old.deps, old.aside!.view]).toEqual([undefined, [], undefined])
  expect(queries.node(User, [2])).not.toBe(old)
  expect([0, 1, 3].map((id) => queries.node(User, [id]))).toEqual([mounted, part, used])
  expect([mounted, part, used].map(({ value }) => value)).toEqual([0, 1, 3])
})

test('DEN-13 queries that are on the screen do not displace those that are kept', () => {
  const queries = new Queries()
  const ids = Array.from({ length: 250 }, (_, id) => id)
  for (const id of ids) {
    queries.node(User, [id]).aside!.view = { isMounted: true, changed: () => {}, aged: () => {} }
  }
  const kept = queries.node(User, ['kept'])
  for (const id of ids) {
    queries.node(User, [id])
  }
  expect(queries.node(User, ['kept'])).toBe(kept)
})

test('DEN-13 a node that nothing depends on any more has no parents, however many it had', () => {
  for (const count of [1, 2, 4, 5, 9]) {
    const row = new Node('entity', User, undefined)
    const parents = Array.from({ length: count }, () => queryNode(User, []))
    for (const parent of [...parents, ...parents]) {
      link(parent, [row])
    }
    expect([...parentsOf(row)]).toEqual(parents)
    for (const [at, parent] of parents.entries()) {
      link(parent, [])
      expect([...parentsOf(row)]).toEqual(parents.slice(at + 1))
    }
    expect(row.up).toBeUndefined()
  }
})

test('DEN-14 GC-2 the rows and tables of a value, each once', () => {
  const table = new Table('User', Row)
  const [a, b] = [new Row(table, 'a'), new Row(table, 'b')]
  const [first, second] = [new Node('entity', User, a), new Node('entity', User, b)]
  const all = new Node('all', User, table)
  const root = queryNode(User, [])
  link(first, [second])
  link(second, [first])
  link(all, [first, second])
  link(root, [all, second])
  expect(sourcesOf(root)).toEqual(new Set([table, a, b]))
  expect(
    rowsOf(root)
      .map(({ pk }) => pk)
      .toSorted(),
  ).toEqual(['a', 'b'])
})
