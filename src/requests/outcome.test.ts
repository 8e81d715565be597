// The value that a caller of `fetch` receives.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { Collection } from '../kinds/Collection.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Union } from '../kinds/Union.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Link, Post, User } from '../testing/entities.ts'
import type { Controller } from '../controller/Controller.ts'

let store: Store
let controller: Controller
beforeEach(() => {
  store = createStore({ clock: new TestClock() })
  ;({ controller } = store)
})
afterEach(() => store.stop())

const ann = { id: '1', name: 'Ann' }
const bob = { id: '2', name: 'Bob' }

describe('a read', () => {
  const getUsers = (schema: unknown): any => deferredEndpoint('users', schema)

  test('CTL-2 resolves to the object that readers show', async () => {
    const ep = getUsers([User])
    const value = controller.fetch(ep)
    await ep.calls[0].answer([ann])
    expect(await value).toBe(store.view(ep).read().data)
  })

  test('CTL-2 ST-9 an older response resolves to the newer one, which readers show', async () => {
    const ep = getUsers([User])
    const put = deferredEndpoint('put', User, { sideEffect: true })
    const older = controller.fetch(ep)
    // Nobody joins a read that was sent before a write.
    void controller.fetch(put)
    await put.calls[0].answer({ id: '3', name: 'Cy' })
    const newer = controller.fetch(ep)
    await ep.calls[1].answer([bob])
    await ep.calls[0].answer([ann])
    expect(await newer).toEqual([User.fromJS(bob)])
    expect(await older).toBe(await newer)
    expect(await older).toBe(store.view(ep).read().data)
  })

  test.each<[string, unknown, unknown, unknown]>([
    ['records', [User], [ann], [User.fromJS(ann)]],
    ['a list', new Collection([User]), [ann], [User.fromJS(ann)]],
    ['no schema', undefined, { plain: [1] }, { plain: [1] }],
    ['a schema that is null', null, { plain: [1] }, { plain: [1] }],
    ['null', undefined, null, null],
  ])('CTL-2 ST-12 invalidated while it was in flight, its callers get its own response: %s', async (...row) => {
    const [, schema, response, expected] = row
    const ep = getUsers(schema)
    const value = controller.fetch(ep)
    await controller.invalidate(ep)
    await ep.calls[0].answer(response)
    expect(await value).toEqual(expected)
    expect(store.view(ep).read().expiryStatus).toBe(1)
  })
})

describe('a delete', () => {
  const mixed = new Union({ post: Post, link: Link }, 'type')
  const post = { id: '5', type: 'post', title: 'a' }
  const constructed = { id: '5', type: 'constructor', title: 'a' }
  const all = new Collection([User])
  test.each<[string, any, unknown, unknown]>([
    ['the record', new Invalidate(Post), post, Post.fromJS(post)],
    ['the record, of a Union', new Invalidate(mixed), post, Post.fromJS(post)],
    ['a record of no known type', new Invalidate(mixed), constructed, constructed],
    ['a record without a type', new Invalidate(mixed), { id: '5', title: 'a' }, { id: '5', title: 'a' }],
    ['the id', new Invalidate(Post), '5', undefined],
    ['the id, of a Union', new Invalidate(mixed), '5', undefined],
    ['the id as an object', new Invalidate(Post), { id: 5 }, Post.fromJS({ id: 5 } as object)],
    ['the id as an object, of a Union', new Invalidate(mixed), { id: '5' }, { id: '5' }],
    ['for a whole list: anything', new Invalidate(all), { deleted: 3 }, { deleted: 3 }],
    ['for a whole list: the parameters', new Invalidate(all), { id: '5' }, { id: '5' }],
    ['for a whole list: a number', new Invalidate(all), 3, 3],
  ])(
    'INV-7 DEL-3 resolves to the record as its response describes it: %s',
    async (_name, schema, response, expected) => {
      const ep = deferredEndpoint('delete', schema, { sideEffect: true })
      await controller.set(Post, { id: '5' }, post)
      const value = controller.fetch(ep, { id: '5' })
      await ep.calls[0].answer(response)
      expect(await value).toEqual(expected)
      expect((await value)?.constructor).toBe((expected as object | undefined)?.constructor)
    },
  )
})

describe('a mutation', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['a record', User, ann, User.fromJS(ann)],
    ['records', [User], [ann, bob], [User.fromJS(ann), User.fromJS(bob)]],
    ['no schema', undefined, { plain: [1] }, { plain: [1] }],
    ['a schema that is null', null, { plain: [1] }, { plain: [1] }],
    ['nothing', undefined, undefined, undefined],
  ])('CTL-2 NET-9 resolves to its own response, also after a reset: %s', async (_name, schema, response, expected) => {
    const ep = deferredEndpoint('change', schema, { sideEffect: true })
    const [before, after] = [controller.fetch(ep), controller.fetch(ep)]
    await ep.calls[0].answer(response)
    await controller.resetEntireStore()
    await ep.calls[1].answer(response)
    // Nothing is stored after a reset, so the caller gets the response itself.
    expect([await before, await after]).toEqual([expected, response])
    expect(store.getState().entities).toEqual({})
  })

  test('CTL-2 whose record is hidden by a pending delete resolves to the record of its response', async () => {
    const change = deferredEndpoint('change', User, { sideEffect: true })
    const remove = deferredEndpoint('remove', new Invalidate(User), {
      sideEffect: true,
      getOptimisticResponse: () => ann,
    })
    const value = controller.fetch(change)
    controller.fetch(remove).catch(() => {})
    await change.calls[0].answer(ann)
    expect(await value).toEqual(User.fromJS(ann))
    expect(controller.get(User, ann)).toBeUndefined()
  })
})
