// Lists inside a record: reads and writes of them in any order of responses.
import fc from 'fast-check'
import { Collection, Entity, Invalidate } from 'restitch'
import { expect, test } from 'vitest'
import { createDriver } from '../../src/controller/driver.ts'
import { endpoint } from '../../src/testing/endpoints.ts'
import { cases } from '../effort.ts'

class Comment extends Entity {
  id = ''
  text = ''
  static override key = 'Comment'
}

const comments: any = new Collection([Comment], {
  argsKey: ({ todoId }: { todoId: string }) => ({ todoId }),
  nestKey: ({ id }: { id: string }) => ({ todoId: id }),
} as never)

class Todo extends Entity {
  id = ''
  comments: readonly Comment[] = []
  static override key = 'Todo'
  static override schema: any = { comments }
}

const getTodo = endpoint('/todos/:id', Todo)
const getComments = endpoint('/comments', comments)
const create = endpoint('POST /comments', comments.push, { sideEffect: true })
const remove = endpoint('DELETE /comments', new Invalidate(Comment), { sideEffect: true })

test('COL-7 COL-11 ST-18 property: a nested list is what the server has when all responses are in, or it is marked stale', () => {
  const action = fc.tuple(fc.constantFrom('todo', 'list', 'create', 'remove', 'deliver', 'deliver'), fc.nat(99))
  fc.assert(
    fc.property(fc.array(action, { maxLength: 14 }), (actions) => {
      const driver = createDriver()
      let rows = [1, 2, 3].map((n) => ({ id: `${n}`, text: 'old', todoId: '1' }))
      let count = rows.length
      const gone = new Set<string>()
      const open: (() => void)[] = []
      const shown = (): string[] =>
        (driver.read(getTodo, [{ id: '1' }]).data?.comments ?? []).map(({ id }: Comment) => id)
      const deliver = (n: number): void => {
        open.splice(n % open.length, 1)[0]?.()
        const ids = shown()
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.filter((id) => gone.has(id))).toEqual([])
      }
      for (const [what, n] of actions) {
        if (what === 'deliver') {
          deliver(n)
        } else if (what === 'create') {
          // The server executes each request when it is sent; only the responses are out of order.
          const row = { id: `${++count}`, text: 'new', todoId: '1' }
          rows = rows.concat(row)
          const request = driver.open(create, [{ todoId: '1' }, { text: 'new' }])
          open.push(() => request.answer(row))
        } else if (what === 'remove') {
          const { id } = rows[n % rows.length] ?? {}
          if (id !== undefined) {
            rows = rows.filter((row) => row.id !== id)
            const request = driver.open(remove, [{ id }])
            open.push(() => {
              gone.add(id)
              request.answer({ id })
            })
          }
        } else {
          const value = rows
          const isTodo = what === 'todo'
          const request = isTodo ? driver.open(getTodo, [{ id: '1' }]) : driver.open(getComments, [{ todoId: '1' }])
          open.push(() => request.answer(isTodo ? { id: '1', comments: value } : value))
        }
      }
      while (open.length > 0) {
        deliver(0)
      }
      const { data, expiresAt } = driver.read(getTodo, [{ id: '1' }])
      if (data !== undefined && expiresAt > 1) {
        expect(shown().toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
      }
    }),
    { numRuns: cases(4_000) },
  )
})
