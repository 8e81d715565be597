import { describe, expectTypeOf, test } from 'vitest'
import { createStore } from '../client/createStore.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Query } from '../kinds/Query.ts'
import { initialState } from '../store/initialState.ts'
import type { Controller } from './Controller.ts'

declare const controller: Controller

class User extends Entity {
  id = ''
  name = ''
  age = 0
}
const users = new Collection([User])
const getUser = new RestEndpoint({ path: '/user/:id', schema: User })
const getUsers = new RestEndpoint({ path: '/user', schema: users, searchParams: {} as { group?: string } })
const update = new RestEndpoint({ path: '/user/:id', method: 'PATCH', schema: User, body: {} as Partial<User> })
const getTime = new Endpoint((zone: string) => Promise.resolve({ zone, time: 5 }), { name: 'time' })
const adults = new Query(new All(User), (all, { above }: { above: number }) => all.filter(({ age }) => age > above))

describe('Controller', () => {
  test('CTL-1 fetch is typed by the schema, else by the endpoint, and checks its arguments', () => {
    expectTypeOf(controller.fetch(getUser, { id: 5 })).toEqualTypeOf<Promise<User>>()
    expectTypeOf(controller.fetch(getUsers, { group: 'x' })).toEqualTypeOf<Promise<User[]>>()
    expectTypeOf(controller.fetch(getUsers)).toEqualTypeOf<Promise<User[]>>()
    expectTypeOf(controller.fetch(getTime, 'UTC')).toEqualTypeOf<Promise<{ zone: string; time: number }>>()
    expectTypeOf(controller.fetch(update, { id: 5 }, { name: 'Ann' })).toEqualTypeOf<Promise<User>>()
    // @ts-expect-error: the path needs an id
    void controller.fetch(getUser, {})
    // @ts-expect-error: no such field in the body
    void controller.fetch(update, { id: 5 }, { nam: 'Ann' })
    // @ts-expect-error: a string
    void controller.fetch(getTime, 5)
    expectTypeOf(controller.fetchIfStale(getUser, { id: 5 })).toEqualTypeOf<Promise<User>>()
  })

  test('CTL-2 TY-23 a mutation whose process may return nothing resolves to the record or undefined', () => {
    const like = update.extend({ process: () => null })
    expectTypeOf(controller.fetch(like, { id: 5 }, {})).toEqualTypeOf<Promise<User | undefined>>()
    const maybe = update.extend({ process: (value: any): User | undefined => value })
    expectTypeOf(controller.fetch(maybe, { id: 5 }, {})).toEqualTypeOf<Promise<User | undefined>>()
    const Users = resource({ path: '/user/:id', schema: User }).extend({
      create: { process: () => null },
      update: { process: (value: any) => value },
    })
    expectTypeOf(controller.fetch(Users.create, { name: 'Ann' })).toEqualTypeOf<Promise<User | undefined>>()
    // Others promise a record, as the schema says.
    expectTypeOf(controller.fetch(Users.update, { id: 5 }, {})).toEqualTypeOf<Promise<User>>()
    expectTypeOf(controller.fetch(Users.getList.push, { name: 'Ann' })).toEqualTypeOf<Promise<User>>()
    const any = update.extend({ schema: {} as any })
    expectTypeOf(controller.fetch(any, { id: 5 }, {})).toEqualTypeOf<Promise<any>>()
  })

  test('CTL-8 CTL-9 set and setResponse check their value', () => {
    void controller.set(User, { id: '5' }, { id: '5', name: 'Ann' })
    void controller.set(User, { id: '5' }, (user) => {
      expectTypeOf(user).toEqualTypeOf<User>()
      return { id: user.id, age: user.age + 1 }
    })
    void controller.set(users, { group: 'x' }, [{ id: '5' }])
    void controller.set(users.push, { group: 'x' }, { id: '5', name: 'Ann' })
    // @ts-expect-error: the name is text
    void controller.set(User, { id: '5' }, { name: {} })
    void controller.setResponse(getUser, { id: 5 }, { id: 5, name: 'Ann' })
    void controller.setResponse(getUsers, {}, [{ id: 5 }])
    void controller.setResponse(getTime, 'UTC', { zone: 'UTC', time: 5 })
    // @ts-expect-error: the name is text
    void controller.setResponse(getUser, { id: 5 }, { name: {} })
    // @ts-expect-error: the time is a number
    void controller.setResponse(getTime, 'UTC', { zone: 'UTC', time: '5' })
    // @ts-expect-error: the path needs an id
    void controller.setResponse(getUser, {}, {})
    void controller.setError(getUser, { id: 5 }, new Error('no'))
    // @ts-expect-error: an Error
    void controller.setError(getUser, { id: 5 }, 'no')
  })

  test('CTL-16 CTL-17 CTL-22 readings may be missing, and take a state last', () => {
    expectTypeOf(controller.get(User, { id: '5' })).toEqualTypeOf<User | undefined>()
    expectTypeOf(controller.get(User, '5', initialState)).toEqualTypeOf<User | undefined>()
    expectTypeOf(controller.get(adults, { above: 17 })).toEqualTypeOf<User[] | undefined>()
    expectTypeOf(controller.getResponse(getUser, { id: 5 }).data).toEqualTypeOf<User | undefined>()
    expectTypeOf(controller.getResponse(getUser, { id: 5 }, initialState).expiresAt).toEqualTypeOf<number>()
    expectTypeOf(controller.getResponseMeta(getTime, 'UTC').data).toEqualTypeOf<
      { zone: string; time: number } | undefined
    >()
    expectTypeOf(controller.getResponse(getUser, null).data).toEqualTypeOf<User | undefined>()
    expectTypeOf(controller.getError(getUser, { id: 5 })?.status).toEqualTypeOf<number | undefined>()
    // @ts-expect-error: the path needs an id
    controller.getResponse(getUser, {})
    // @ts-expect-error: the query needs a number
    controller.get(adults, { above: 'x' })
  })

  test('CTL-4 CTL-5 CTL-6 CTL-12 CTL-21 any endpoint names keys', () => {
    void controller.expireAll(getUser)
    void controller.invalidateAll({ testKey: (key) => key.startsWith('GET') })
    void controller.invalidate(getUser, { id: 5 })
    void controller.invalidate(getUser, null)
    void controller.subscribe(getUser, { id: 5 })
    void controller.unsubscribe(getUser, null)
    void controller.abort(update, { id: 5 }, {})
    // @ts-expect-error: the path needs an id
    void controller.invalidate(getUser, {})
  })

  test('STO-3 views are typed by what they look at', () => {
    const store = createStore({ start: false })
    expectTypeOf(store.view(getUser, { id: 5 }).read().data).toEqualTypeOf<User | undefined>()
    expectTypeOf(store.view(getTime, 'UTC').read().data).toEqualTypeOf<{ zone: string; time: number } | undefined>()
    expectTypeOf(store.view(User, { id: '5' }).read().data).toEqualTypeOf<User | undefined>()
    expectTypeOf(store.view(getUser, { id: 5 }).promise()).toEqualTypeOf<Promise<User>>()
    store.subscribe(getUsers, [{ group: 'x' }], (told) => expectTypeOf(told).toEqualTypeOf<'value' | 'freshness'>())
    store.subscribe(getUser, [null], () => {})
    // @ts-expect-error: the path needs an id
    store.view(getUser, {})
  })
})
