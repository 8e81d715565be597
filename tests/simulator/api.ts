import { All, Collection, Entity, Invalidate, Query, resource, RestEndpoint } from 'restitch'
import type { Network } from './network.ts'
import type { Server } from './server.ts'

export class Person extends Entity {
  id = ''
  name = ''
  static override key = 'Person'
}

export class Todo extends Entity {
  id = ''
  title = ''
  body = ''
  group = ''
  author: Person | undefined = undefined
  static override key = 'Todo'
  static override schema: { author: typeof Person } = { author: Person }
}

/** A record that contains a list of todos: the list of its group. */
export class Group extends Entity {
  id = ''
  name = ''
  todos: readonly Todo[] = []
  static override key = 'Group'
  static override schema: any = {
    todos: new Collection([Todo], { nestKey: ({ id }: { id: string }) => ({ group: id }) }),
  }
}

/** The endpoints of one run, over its network. */
export interface Api {
  readonly todos: any
  readonly all: any
  /** Deletes a record in the store. */
  readonly gone: any
  readonly get: any
  readonly list: any
  readonly page: any
  readonly hot: any
  readonly archive: any
  readonly person: any
  readonly count: any
  readonly putPerson: any
  readonly group: any
  readonly groups: any
  /** Mutations, without and with an optimistic response. */
  readonly plain: Mutations
  readonly optimistic: Mutations
}

export interface Mutations {
  readonly push: any
  readonly unshift: any
  readonly put: any
  readonly patch: any
  readonly delete: any
  readonly move: any
  readonly remove: any
  readonly putGroup: any
  readonly patchGroup: any
}

export function createApi(network: Network, server: Server): Api {
  const shared = { urlPrefix: 'http://sim', fetchResponse: network.fetchResponse, timeout: 3_000 }
  const paging = {
    ...(server.isPaged && { paginationField: 'cursor' }),
    ...(server.hasCursors && { getNextPage: (value: any) => server.nextOf(value.items ?? value) }),
  }
  const make = (optimistic: boolean): any => {
    const options = { path: '/todos/:id', schema: Todo, optimistic, ...paging, ...shared }
    const todos: any = resource(options as any)
    const counted = { items: new Collection([Todo], { counts: ['total'] }), total: 0 }
    return server.isCounted ? todos.extend({ getList: { schema: counted } }) : todos
  }
  const makeGroups = (optimistic: boolean): any =>
    resource({ path: '/groups/:id', schema: Group, optimistic, ...shared } as any)
  const read = (path: string, schema: unknown): any => new RestEndpoint({ path, schema, ...shared } as any)
  const people: any = resource({ path: '/people/:id', schema: Person, ...shared } as any)
  const plain = make(false)
  const { get, getList } = plain
  const groups = makeGroups(false)
  const mutations = ({ getList: list, update, partialUpdate, delete: remove }: any, parents: any): Mutations => ({
    push: list.push,
    unshift: list.unshift,
    move: list.move,
    remove: list.remove,
    put: update,
    patch: partialUpdate,
    delete: remove,
    putGroup: parents.update,
    patchGroup: parents.partialUpdate,
  })
  return {
    todos: server.isCounted ? getList.schema.items : getList.schema,
    gone: new Invalidate(Todo),
    all: new Query(new All(Todo) as any, (items: any) => items),
    get,
    list: getList,
    page: server.isPaged ? getList.getPage : undefined,
    hot: read('/hot', new Collection([Todo], { name: 'hot' })),
    archive: read('/archive', new Collection([Todo])),
    person: people.get,
    count: read('/count', undefined),
    putPerson: people.update,
    group: groups.get,
    groups: groups.getList,
    plain: mutations(plain, groups),
    optimistic: mutations(make(true), makeGroups(true)),
  }
}
