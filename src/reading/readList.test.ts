import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDriver } from '../testing/drivers.ts'
import { top } from '../rows/overlay.ts'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { findNode } from './nodes.ts'
import { Reader } from './denormalize.ts'
import { queryNode } from './query.ts'

const getUsers = endpoint('users', new Collection([User]))
const getPlain = endpoint('plain', [User])
const removeUser = mutation('remove', new Invalidate(User), (user) => user)
const all = new All(User)
const ids = fc.array(fc.nat(30), { maxLength: 25 })
const step = fc.oneof(
  fc.record({ list: ids }),
  fc.record({ at: fc.nat(25), less: fc.nat(3), more: fc.array(fc.nat(40), { maxLength: 3 }) }),
  fc.record({ named: fc.array(fc.nat(30), { maxLength: 12 }) }),
  fc.record({ gone: fc.nat(30) }),
)

test('DEN-2 DEN-3 DEN-5 property: after any changes a list equals a cold reading, and records that did not change keep their identity', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const driver = createDriver()
      let now = Array.from({ length: 15 }, (_, id) => id)
      let version = 0
      const answer = (items: readonly number[], name?: string): void => {
        const rows = items.map((id) => (name === undefined ? { id: String(id) } : { id: String(id), name }))
        driver.open(getUsers, [{}]).answer(rows)
        driver.open(getPlain, []).answer(rows)
      }
      answer(now, 'first')
      for (const one of steps) {
        const before = [...driver.read(getUsers, [{}]).data] as User[]
        if ('named' in one) {
          version++
          one.named.forEach((id) => driver.set(User, [{}], { id: String(id), name: `${version}` }))
        } else if ('gone' in one) {
          driver.open(removeUser, [{ id: one.gone }]).answer(one.gone)
        } else {
          now = [...new Set('list' in one ? one.list : now.toSpliced(one.at, one.less, ...one.more))]
          answer(now)
        }
        const { tables } = driver.store
        for (const [target, args] of [
          [getUsers, [{}]],
          [getPlain, []],
          [all, []],
        ] as const) {
          const node = target === all ? queryNode(all, []) : driver.node(target, args)
          const cold = new Reader(tables, top)
          const same =
            node.kind === 'query'
              ? node
              : findNode(cold, node.source as never, 'result', node.schema, { args: args as readonly any[] })
          const { data } = driver.read(target, args as readonly any[])
          expect(data).toEqual(cold.read(same))
          expect(driver.read(target, args as readonly any[]).data).toBe(data)
        }
        for (const user of driver.read(getUsers, [{}]).data as User[]) {
          const old = before.find(({ id }) => id === user.id)
          expect(old === undefined || old === user || old.name !== user.name).toBe(true)
        }
      }
    }),
  )
})
