import { expect, test } from 'vitest'
import { createDriver } from '../testing/drivers.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Scalar } from '../kinds/Scalar.ts'
import { Values } from '../kinds/Values.ts'
import { endpoint } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { isComplete, missingField } from './query.ts'

const ann = { id: '1', name: 'Ann' }

test.each<[string, any, any, any]>([
  ['list', new Collection([User]), [ann], [ann, { id: '2' }]],
  ['map', new Collection(new Values(User)), { a: ann }, { a: ann, b: { id: '2' } }],
])('OBJ-6 ENT-43 a %s is complete if each of its records is', (_, schema, whole, part) => {
  for (const [value, expected] of [
    [whole, true],
    [part, false],
  ]) {
    const driver = createDriver()
    driver.set(schema, [{}], value)
    const { data, expiresAt } = driver.read(endpoint('/never', { inner: schema }), [{}])
    expect(isComplete({ inner: schema }, data)).toBe(expected)
    expect(expiresAt > 1).toBe(expected)
  }
})

test('ENT-43 SCA-1 a Scalar that was received for other arguments only is missing', () => {
  class Company extends Entity {
    id = ''
    price: number | undefined = undefined
    static override key = 'Company'
    static override schema = { price: new Scalar({ key: 'money', lens: ([first]) => first?.currency }) }
  }
  const driver = createDriver()
  driver.open(endpoint('company', Company), [{ id: 1, currency: 'usd' }]).answer({ id: 1, price: 10 })
  const missing = (currency: string): unknown => missingField(driver.read(Company, [{ id: 1, currency }]).data)
  expect(missing('usd')).toBeUndefined()
  expect(missing('eur')).toBe('price')
})

test('ENT-43 the first declared field that nothing has set; methods, and values that are no records, lack none', () => {
  class Task extends Entity {
    id = ''
    title = ''
    run = (): number => 1
    done = false
    static override key = 'Task'
  }
  const driver = createDriver()
  const missing = (row: object): string | undefined => {
    driver.set(Task, [{}], row)
    return missingField(driver.read(Task, [1]).data)
  }
  expect(missing({ id: 1, done: undefined })).toBe('title')
  expect(missing({ id: 1, title: undefined })).toBe(undefined)
  for (const value of [undefined, null, 5, {}, [], Task.fromJS({ id: '9' } as never)]) {
    expect(missingField(value)).toBeUndefined()
  }
})
