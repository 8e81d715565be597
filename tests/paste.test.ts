import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createStore } from 'restitch'
import { expect, test } from 'vitest'
// @ts-expect-error -- a module of the site, without types
import { inferResponse } from '../docs/.vitepress/theme/inferResponse.mjs'

let count = 0
/** Runs the code that the page shows. Returns the records and lists of the store, and what a reader of the endpoint gets. */
async function paste(response: unknown, path: string): Promise<{ code: string; entities: any; data: any }> {
  const { code, resource, isList, args } = inferResponse(response, path)
  const folder = resolve('.cache/paste', process.env['VITEST_POOL_ID'] ?? '')
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/${(count += 1)}.ts`
  writeFileSync(file, code)
  const endpoint = (await import(/* @vite-ignore */ file))[resource][isList ? 'getList' : 'get']
  const { controller, getState, stop } = createStore() as any
  controller.setResponse(endpoint, ...args, response)
  const { entities } = getState()
  const { data } = controller.getResponse(endpoint, ...args, getState())
  stop()
  return { code, entities, data }
}

test('a list in an envelope becomes an entity, its relations, and a list that counts', async () => {
  const ann = { id: 7, name: 'Ann' }
  const task = { id: 1, title: 'Paint', done: false, owner: ann, tags: ['house'], due: null }
  const response = { data: [task, { ...task, id: 2, due: '2026-01-01' }], total: 2 }
  const { code, entities, data } = await paste(response, '/api/tasks?done=false')
  expect(code).toBe(`import { Collection, Entity, resource } from 'restitch'

export class Owner extends Entity {
  id = 0
  name = ''
  static override key = 'Owner'
}

export class Task extends Entity {
  id = 0
  title = ''
  done = false
  owner = Owner.fromJS()
  tags = [] as string[]
  due = ''
  static override key = 'Task'
  static override schema = { owner: Owner }
}

export const Tasks = resource({ path: '/api/tasks/:id', schema: Task }).extend({
  getList: { schema: { data: new Collection([Task], { counts: ['total'] }), total: 0 } },
})
`)
  expect(Object.keys(entities.Owner)).toEqual(['7'])
  expect(Object.keys(entities.Task)).toEqual(['1', '2'])
  expect(Object.keys(entities)).toContain('[Task]')
  expect(data.data[0].owner).toBe(data.data[1].owner)
  expect(data.total).toBe(2)
})

test('one record with other keys, and records inside', async () => {
  const response = {
    _id: 'a1',
    'line-items': [{ uuid: 'x', qty: 2 }],
    boxes: [],
    settings: { dark: true },
    category: { id: 'c', name: 'Toys' },
  }
  const { code, entities, data } = await paste(response, 'https://api.test/v1/purchase-orders/a1')
  expect(code).toContain(
    `resource({ urlPrefix: 'https://api.test', path: '/v1/purchase-orders/:_id', schema: PurchaseOrder })`,
  )
  expect(Object.keys(entities)).toEqual(expect.arrayContaining(['PurchaseOrder', 'LineItem', 'Category']))
  expect(data['line-items'][0].qty).toBe(2)
  expect(data.settings).toEqual({ dark: true })
})

test.each([
  [[1, 2], '/api/tasks', 'no object with an "id"'],
  [{ total: 3 }, '/api/tasks', 'no object with an "id"'],
  [[{ id: 1 }], '/', 'The path has no name'],
])('%j of %s says why nothing comes out', (response, path, message) => {
  expect(() => inferResponse(response, path)).toThrow(message)
})
