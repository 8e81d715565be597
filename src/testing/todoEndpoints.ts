// The endpoints of an API for todos: reads, mutations, and the same mutations with optimistic responses.
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { endpoint, mutation } from './endpoints.ts'
import { Todo, User, Whole } from './entities.ts'
import { freezeSchema } from './freezeSchema.ts'

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
export const optimistic: Record<'put' | 'create' | 'first' | 'drop' | 'move' | 'delete', any> = {
  put: mutation('PUT /todo/:id', Todo, undefined, partial),
  create: mutation('POST /todos', todos.push, (params, body) => ({ ...params, ...body })),
  first: mutation('POST /todos first', todos.unshift, (params, body) => ({ ...params, ...body })),
  drop: mutation('DROP /todo/:id', todos.remove, (params) => params),
  move: mutation('MOVE /todo/:id', todos.move, undefined, partial),
  delete: mutation('DELETE /todo/:id', new Invalidate(Todo), (params) => params),
}

// One schema may serve several endpoints and stores, so none of them may write to it.
freezeSchema([todos, allTodos, User, Todo, Whole])
