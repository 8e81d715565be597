import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { User } from '../testing/entities.ts'
import { clean, DIRTY, FAILED, link, Node, parentsOf, unlink } from './Node.ts'

const COUNT = 24
const ids = fc.array(fc.nat(COUNT - 1), { maxLength: 14 })

test('DEN-3 DEN-13 property: after any changes of dependencies each node knows exactly the nodes it is part of', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(COUNT - 1), ids, fc.boolean()), { maxLength: 60 }), (steps) => {
      const nodes = Array.from({ length: COUNT }, () => new Node('entity', User, undefined))
      const model = nodes.map((): number[] => [])
      for (const [at, deps, isRemoved] of steps) {
        model[at] = isRemoved ? [] : deps
        if (isRemoved) {
          unlink(nodes[at]!)
        } else {
          link(
            nodes[at]!,
            deps.map((id) => nodes[id]!),
          )
        }
        for (const [i, node] of nodes.entries()) {
          expect(node.deps).toEqual(model[i]!.map((id) => nodes[id]))
          const up = new Set(nodes.filter((_, parent) => model[parent]!.includes(i)))
          expect(new Set(parentsOf(node))).toEqual(up)
          // `queries` release a node that is part of nothing.
          expect(node.up === undefined).toBe(up.size === 0)
        }
      }
    }),
    { numRuns: cases(400) },
  )
})

test('DEN-3 ST-19 property: touching a node makes it and all it is part of dirty, notifies their views once, and says what was touched', () => {
  fc.assert(
    fc.property(fc.array(ids, { minLength: COUNT, maxLength: COUNT }), fc.array(fc.nat(COUNT - 1)), (deps, touched) => {
      const calls: number[] = []
      const nodes = deps.map((_, i) => {
        const node = new Node('entity', User, undefined, {})
        node.aside!.view = { isMounted: true, changed: () => calls.push(i), aged: () => calls.push(i) }
        return node
      })
      for (const [i, node] of nodes.entries()) {
        link(
          node,
          deps[i]!.map((id) => nodes[id]!),
        )
        node.flags = FAILED | DIRTY
        clean(node)
      }
      expect(nodes.every(({ flags }) => flags === FAILED)).toBe(true)
      const above = new Set(touched)
      for (const id of above) {
        deps.forEach((parts, parent) => parts.includes(id) && above.add(parent))
      }
      touched.forEach((id) => nodes[id]!.touch())
      expect(calls.toSorted()).toEqual([...above].toSorted())
      for (const [i, node] of nodes.entries()) {
        expect((node.flags & DIRTY) !== 0).toBe(above.has(i))
        const parts = new Set(deps[i]!.filter((id) => above.has(id)))
        // A node of few parts, or of many that were touched, looks at all of them.
        const isNoted = deps[i]!.length > 8 && parts.size <= 8
        expect(node.touched && new Set(node.touched)).toEqual(
          isNoted ? new Set([...parts].map((id) => nodes[id])) : undefined,
        )
      }
      calls.length = 0
      nodes[0]!.aged()
      const over = new Set([0])
      for (const id of over) {
        deps.forEach((parts, parent) => parts.includes(id) && over.add(parent))
      }
      expect(calls.toSorted()).toEqual([...over].toSorted())
    }),
    { numRuns: cases(400) },
  )
})

test('DEN-3 of a node of which many parts were touched any may have been', () => {
  const parts = Array.from({ length: 12 }, () => new Node('entity', User, undefined))
  const list = new Node('list', User, undefined)
  link(list, parts)
  for (const node of [list, ...parts]) {
    clean(node)
  }
  parts.slice(0, 8).forEach((part) => part.touch())
  expect(list.touched).toHaveLength(8)
  parts[8]!.touch()
  expect(list.touched).toBeUndefined()
  parts[9]!.touch()
  expect([list.touched, list.flags]).toEqual([undefined, DIRTY])
})

test('DEN-13 a node that was removed is built again', () => {
  const node = new Node('entity', User, undefined)
  clean(node)
  node.value = 1
  unlink(node)
  expect([node.flags, node.value]).toEqual([DIRTY, undefined])
})
