// @vitest-environment happy-dom
// Live queries in an app: Strict Mode, a list in an envelope, optimistic updates and rollbacks, beside a plain Query.
import { createElement, type ReactNode } from 'react'
import { All, Collection, Entity, Invalidate, Query } from 'restitch'
import { count, groupBy, query, sortBy, sum, take, where } from 'restitch/query'
import { useQuery, useSuspense } from 'restitch/react'
import { expect, test } from 'vitest'
import { deferredEndpoint, h, open, settle, show } from './cases.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}
class Task extends Entity {
  id = ''
  title = ''
  done = false
  rank = 0
  owner: User | undefined = undefined
  static override key = 'Task'
  static override schema = { owner: User }
}

const list = new Collection([Task], { counts: ['total'] })
const byRank = (a: Task, b: Task): number => a.rank - b.rank || (a.id < b.id ? -1 : 1)
const isOpenOf = (task: Task, name: string): boolean => !task.done && task.owner?.name === name

/** Each query live, and as a plain Query of all records. */
function queriesOf(getList: any) {
  return {
    top: [
      query(
        Task,
        where((task) => !task.done),
        sortBy((task) => task.rank),
        take(2),
      ),
      new Query(new All(Task), (all: Task[]) =>
        all
          .filter((task) => !task.done)
          .sort(byRank)
          .slice(0, 2),
      ),
    ],
    owned: [
      query(
        Task,
        where((task, { name }: { name: string }) => isOpenOf(task, name)),
        sortBy((task) => [task.title, 'desc']),
      ),
      new Query(new All(Task), (all: Task[], { name }: { name: string }) =>
        all
          .filter((task) => isOpenOf(task, name))
          .sort((a, b) => (a.title === b.title ? (a.id < b.id ? -1 : 1) : a.title < b.title ? 1 : -1)),
      ),
    ],
    listed: [query(getList), new Query(list, (all: Task[]) => [...all])],
    load: [
      query(
        Task,
        groupBy(({ owner }) => owner?.name),
        { tasks: count(), rank: sum((task) => task.rank) },
      ),
      new Query(new All(Task), (all: Task[]) => {
        const names = [...new Set(all.map(({ owner }) => owner?.name))].sort()
        return names.map((key) => {
          const tasks = all.filter(({ owner }) => owner?.name === key)
          return { key, tasks: tasks.length, rank: tasks.reduce((rank, task) => rank + task.rank, 0) }
        })
      }),
    ],
  } as Record<string, readonly [any, any]>
}

/** An app with a list in an envelope, and mutations. */
async function start() {
  const getList = deferredEndpoint('list', { items: list, total: 0 })
  const patch = deferredEndpoint('patch', Task, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, { id }: { id: string }, body: object) => ({ id, ...body }),
  })
  const create = deferredEndpoint('create', list.push, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, body: object) => body,
  })
  const remove = deferredEndpoint('remove', new Invalidate(Task), {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, { id }: { id: string }) => ({ id }),
  })
  const { store, clock } = open()
  const queries = queriesOf(getList)
  const Both = ({ name }: { name: string }): ReactNode => {
    const [live, plain] = queries[name]!
    const args = name === 'owned' ? [{ name: 'Ada' }] : []
    const textOf = (value: unknown): string =>
      JSON.stringify(value, (key, one: unknown) => (key === 'owner' && one ? (one as User).name : one) as unknown) ??
      'none'
    return h('p', null, textOf(useQuery(live, ...args)), h('i', null, textOf(useQuery(plain, ...args))))
  }
  const Page = (): ReactNode => {
    const { items, total } = useSuspense(getList) as { items: Task[]; total: number }
    return h('b', null, `${items.length} of ${total}`)
  }
  const names = Object.keys(queries)
  const tree = createElement('div', null, h(Page), ...names.map((name) => h(Both, { name, key: name })))
  const screen = await show(tree, { strict: true, store, clock })
  /** All queries show what plain functions of all records make. */
  const agree = (): void => {
    const parts = [...screen.container.querySelectorAll('p')].map((p) => {
      const plain = p.querySelector('i')!.textContent
      return [p.textContent.slice(0, -plain.length), plain]
    })
    expect(parts).toHaveLength(names.length)
    expect(parts.map(([live]) => live)).toEqual(parts.map(([, plain]) => plain))
  }
  const items = [3, 1, 2, 5, 4].map((rank) => {
    const owner = { id: `u${rank % 2}`, name: ['Ada', 'Bob'][rank % 2] }
    return { id: String(rank), title: `t${rank % 3}`, rank, done: rank === 5, owner }
  })
  await settle(() => getList.calls.at(-1).answer({ items, total: items.length }))
  expect(screen.container.querySelector('b')!.textContent).toBe('5 of 5')
  agree()
  return { store, controller: store.controller, screen, agree, getList, patch, create, remove, items }
}

test('QUE-9 QUE-17 in Strict Mode live queries follow optimistic updates, rollbacks and crossing responses as a plain Query does', async () => {
  const { controller, agree, patch, create, remove, screen } = await start()
  const failed = (promise: Promise<unknown>): void => void promise.catch(() => {})
  await settle(() => failed(controller.fetch(patch, { id: '4' }, { rank: 0, title: 'z' })))
  agree()
  await settle(() => failed(controller.fetch(patch, { id: '4' }, { done: true })))
  agree()
  await settle(() => failed(controller.fetch(create, { id: 'n', title: 'n', rank: 1, owner: 'u0' })))
  agree()
  await settle(() => failed(controller.fetch(remove, { id: '1' })))
  agree()
  // The first fails, the second succeeds; the create fails, and the delete, too.
  await settle(() => patch.calls[0].fail(new Error('no')))
  agree()
  await settle(() => controller.set(User, { id: 'u0' }, { name: 'Bob' }))
  agree()
  await settle(() => patch.calls[1].answer({ id: '4', done: true }))
  agree()
  await settle(() => create.calls[0].fail(Object.assign(new Error('no'), { status: 422 })))
  agree()
  await settle(() => remove.calls[0].fail(Object.assign(new Error('no'), { status: 403 })))
  agree()
  expect(screen.container.querySelector('b')!.textContent).toBe('5 of 5')
})

test('QUE-12 QUE-17 a refetch, a reset and a new list leave live queries and a plain Query with the same records', async () => {
  const { controller, agree, getList, remove, items, screen } = await start()
  await settle(() => void controller.fetch(remove, { id: '2' }))
  await settle(() => remove.calls[0].answer({ id: '2' }))
  agree()
  await settle(() => void controller.fetch(getList))
  await settle(() => getList.calls.at(-1).answer({ items: items.toReversed().slice(1), total: 4 }))
  agree()
  await settle(() => controller.set(Task, { id: '9' }, { id: '9', rank: -1, title: 'new', owner: 'u1' } as never))
  agree()
  await settle(() => void controller.resetEntireStore())
  await settle(() => void controller.fetch(getList))
  await settle(() => getList.calls.at(-1).answer({ items, total: 5 }))
  expect(screen.container.querySelector('b')!.textContent).toBe('5 of 5')
  agree()
})
