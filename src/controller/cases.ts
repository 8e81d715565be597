// What the tests of the store share: a few kinds of records, endpoints over them, a clock that is held by hand.
import type { Clock } from '../base/clock.ts'
import { freezeSchema } from '../schema/cases.ts'
import { All } from '../schema/All.ts'
import { Collection } from '../schema/Collection.ts'
import { Entity } from '../schema/Entity.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { Query } from '../schema/Query.ts'
import type { State } from '../store/State.ts'
import type { Driver } from './driver.ts'
import type { Collector } from './sweep.ts'

export class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}

export class Todo extends Entity {
  id = ''
  title = ''
  body = ''
  done = false
  group = ''
  tags: readonly string[] = []
  author: User = User.fromJS()
  static override key = 'Todo'
  static override schema: { author: typeof User } = { author: User }
}

/** A Todo that has received every field. */
export const wholeTodo: any = { id: '1', title: 'a', body: '', done: false, group: '', tags: [], author: '5' }

/** Compared as a whole row, since it has a `merge` of its own. */
export class Whole extends Entity {
  id = ''
  name = ''
  group = ''
  static override key = 'Whole'
  static override merge(existing: any, incoming: any): any {
    return { ...existing, ...incoming }
  }
}

/** In Node it is loaded already. */
export const collectorOf = (driver: Driver): Collector => driver.collector() as Collector

/** A plain function with a key, as a user may write it. */
export function endpoint(path: string, schema: unknown, more: object = {}): any {
  return Object.assign(() => Promise.resolve(), {
    path,
    schema,
    key: (...args: unknown[]) => `${path} ${JSON.stringify(args)}`,
    ...more,
  })
}

const mutation = (path: string, schema: unknown, optimistic?: (...args: any[]) => unknown, more: object = {}): any =>
  endpoint(path, schema, {
    sideEffect: true,
    ...(optimistic && { getOptimisticResponse: (_snapshot: unknown, ...args: any[]) => optimistic(...args) }),
    ...more,
  })

export const todos: Collection<(typeof Todo)[]> = new Collection([Todo])
export const allTodos: any = new Query(new All(Todo))

export const getTodo: any = endpoint('/todo/:id', Todo)
export const getTodos: any = endpoint('/todos', todos)
export const getUser: any = endpoint('/user/:id', User)
export const getWhole: any = endpoint('/whole/:id', Whole)
export const getPlain: any = endpoint('/plain', undefined)

export const putTodo: any = mutation('PUT /todo/:id', Todo)
export const putWhole: any = mutation('PUT /whole/:id', Whole)
export const createTodo: any = mutation('POST /todos', todos.push)
export const firstTodo: any = mutation('POST /todos first', todos.unshift)
export const dropTodo: any = mutation('DROP /todo/:id', todos.remove)
export const moveTodo: any = mutation('MOVE /todo/:id', todos.move)
export const deleteTodo: any = mutation('DELETE /todo/:id', new Invalidate(Todo))

const partial = {
  getOptimisticResponse: (snapshot: any, params: any, body: any) => {
    const entity = snapshot.get(Todo, params)
    if (entity === undefined) {
      throw snapshot.abort
    }
    return { ...params, ...entity, ...body }
  },
}
/** The same mutations, shown before they are answered. */
export const optimistic: Record<'put' | 'create' | 'first' | 'drop' | 'move' | 'delete', any> = {
  put: mutation('PUT /todo/:id', Todo, undefined, partial),
  create: mutation('POST /todos', todos.push, (params, body) => ({ ...params, ...body })),
  first: mutation('POST /todos first', todos.unshift, (params, body) => ({ ...params, ...body })),
  drop: mutation('DROP /todo/:id', todos.remove, (params) => params),
  move: mutation('MOVE /todo/:id', todos.move, undefined, partial),
  delete: mutation('DELETE /todo/:id', new Invalidate(Todo), (params) => params),
}

// One schema may serve several endpoints and stores, so that none of them may write to it.
freezeSchema([todos, allTodos, User, Todo, Whole])

/** A clock that stands until it is moved; its timers run when they are asked to. */
export class HandClock implements Clock {
  time: number
  readonly timers: (() => void)[] = []
  constructor(time = 1_000_000) {
    this.time = time
  }
  now(): number {
    return this.time
  }
  setTimeout(run: () => void): unknown {
    return this.timers.push(run)
  }
  clearTimeout(): void {}
}

/** All orders of a list. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) {
    return [[...items]]
  }
  const out: T[][] = []
  for (const [i, item] of items.entries()) {
    for (const rest of permutations(items.filter((_, j) => j !== i))) {
      out.push([item, ...rest])
    }
  }
  return out
}

/** Lets everything queued so far happen. */
export async function tick(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await Promise.resolve()
  }
}

/** What everybody can see of a store, as plain data; stand-ins of pending creates keep their place. */
export function sight(driver: Driver, targets: readonly (readonly [any, readonly any[]])[]): unknown {
  return targets.map(([target, args]) => {
    const { data, error, ...fresh } = driver.read(target, args)
    return { data: plain(data), error: error === undefined ? undefined : String(error), ...fresh }
  })
}

export function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plain)
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]))
}

/** The pks a list shows. */
export function ids(driver: Driver, target: any, ...args: any[]): string[] | undefined {
  return driver.read(target, args).data?.map((item: Entity) => item.pk())
}

/** Everything that was committed, as plain data. */
export function committed(driver: Driver): unknown {
  const { entities, endpoints, indexes, meta, entitiesMeta } = driver.getState()
  return asData({ entities, endpoints, indexes, meta, entitiesMeta })
}

function asData(value: unknown): unknown {
  if (typeof value === 'symbol') {
    return String(value)
  }
  if (typeof value !== 'object' || value === null || value instanceof Error) {
    return value
  }
  if (Array.isArray(value)) {
    return value.map(asData)
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, asData(part)]))
}

/** The requests whose operations a state lists. */
export function pendingIn({ optimistic: actions }: State): string[] {
  return actions.map(({ meta }: { meta: { requestId: string } }) => meta.requestId)
}
