import { describe, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { tick } from '../testing/TestClock.ts'
import { endpoint } from '../testing/endpoints.ts'
import { freezeSchema } from '../testing/freezeSchema.ts'
import { ArraySchema } from '../schema/Array.ts'
import { All } from './All.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'
import { Query } from './Query.ts'
import { Scalar } from './Scalar.ts'
import { Values } from './Values.ts'

const lens = ([first]: readonly any[]): string | undefined => first?.currency as string | undefined
const money = new Scalar({ key: 'money', lens })
class Company extends Entity {
  id = ''
  name = ''
  price: number | undefined = undefined
  share: number | undefined = undefined
  static override key = 'Company'
  static override schema = { price: money, share: money }
}

freezeSchema(Company)

const getCompany = endpoint('company', Company)
const ask = (driver: Driver, currency?: string): any => driver.read(Company, [{ id: 1, currency }]).data

function filled(): Driver {
  const driver = createDriver()
  driver.open(getCompany, [{ id: 1, currency: 'usd' }]).answer({ id: 1, name: 'A', price: 10, share: 0 })
  driver.open(getCompany, [{ id: 1, currency: 'eur' }]).answer({ id: 1, name: 'A', price: 9 })
  return driver
}

test('SCA-1 values lie in a table of their own, by entity, pk and lens', () => {
  const { entities } = filled().getState()
  expect(entities['Scalar(money)']).toEqual({
    'Company|1|usd': { price: 10, share: 0 },
    'Company|1|eur': { price: 9 },
  })
  expect(entities['Company']![1]).toEqual({
    id: 1,
    name: 'A',
    price: ['1', 'price', 'Company'],
    share: ['1', 'share', 'Company'],
  })
})

test('SCA-2 the value of the lens; none for an unknown lens, and none without', () => {
  const driver = filled()
  expect(ask(driver, 'usd')).toMatchObject({ name: 'A', price: 10, share: 0 })
  expect(ask(driver, 'eur')).toMatchObject({ name: 'A', price: 9, share: undefined })
  expect(ask(driver, 'yen')).toMatchObject({ name: 'A', price: undefined })
  expect(ask(driver)).toMatchObject({ name: 'A', price: undefined })
  expect(driver.read(getCompany, [{ id: 1, currency: 'usd' }]).data).toBe(ask(driver, 'usd'))
})

test('SCA-3 normalising without a lens throws, and nothing is stored', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const driver = createDriver()
  const refused = expect.objectContaining({ code: 'scalar-lens', status: 400, refused: true })
  expect(() => driver.open(getCompany, [{ id: 1 }]).answer({ id: 1, price: 1 })).toThrow(refused)
  expect(Object.values(driver.getState().entities).every((table) => Object.keys(table).length === 0)).toBe(true)
  error.mockRestore()
})

describe('SCA-4 outside an entity', () => {
  const prices = new Scalar({ key: 'price', lens, entity: Company })

  test('SCA-4 in Values: the key of the entry is the pk', () => {
    const driver = createDriver()
    const get = endpoint('prices', new Values(prices))
    driver.open(get, [{ currency: 'usd' }]).answer({ 1: 5, 2: { price: 6, share: 7 } })
    expect(driver.getState().entities['Scalar(price)']).toEqual({
      'Company|1|usd': { value: 5 },
      'Company|2|usd': { price: 6, share: 7 },
    })
    expect(driver.read(get, [{ currency: 'usd' }]).data).toEqual({ 1: 5, 2: { price: 6, share: 7 } })
  })

  test('SCA-4 in arrays: the pk of the item', () => {
    const driver = createDriver()
    for (const schema of [[prices], new ArraySchema(prices)]) {
      const get = endpoint('prices', schema)
      driver.open(get, [{ currency: 'usd' }]).answer([{ id: 1, price: 6 }])
      expect(driver.getState().entities['Scalar(price)']).toEqual({ 'Company|1|usd': { id: 1, price: 6 } })
      expect(driver.read(get, [{ currency: 'usd' }]).data).toEqual([{ id: 1, price: 6 }])
    }
  })

  test('SCA-4 a column joins the records of its entity', () => {
    const column = new Scalar({ key: 'money', lens, entity: Company })
    const driver = filled()
    driver.open(endpoint('prices', new Values(column)), [{ currency: 'usd' }]).answer({ 1: { price: 99 } })
    expect(ask(driver, 'usd').price).toBe(99)
    expect(ask(driver, 'usd').share).toBe(0)
    expect(ask(driver, 'eur').price).toBe(9)
  })

  test('SCA-4 entityPk may be overridden', () => {
    class Own extends Scalar {
      override entityPk(input: { ref: string }): string {
        return input.ref
      }
    }
    const driver = createDriver()
    driver
      .open(endpoint('own', [new Own({ key: 'own', lens, entity: Company })]), [{ currency: 'usd' }])
      .answer([{ ref: 'x', n: 1 }])
    expect(driver.getState().entities['Scalar(own)']).toEqual({ 'Company|x|usd': { ref: 'x', n: 1 } })
  })

  test.each<[string, unknown, unknown]>([
    ['no entity', new Values(money), { 1: 5 }],
    ['no pk', [prices], [{ price: 5 }]],
  ])('SCA-4 %s: it throws', (_, schema, answer) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const driver = createDriver()
    const refused = expect.objectContaining({ code: 'scalar-entity', status: 400 })
    expect(() => driver.open(endpoint('x', schema), [{ currency: 'usd' }]).answer(answer)).toThrow(refused)
    error.mockRestore()
  })
})

test('SCA-5 cells merge by field and by order, as records do', () => {
  const driver = filled()
  const old = driver.open(getCompany, [{ id: 1, currency: 'usd' }])
  driver.open(getCompany, [{ id: 1, currency: 'usd' }]).answer({ id: 1, price: 12 })
  old.answer({ id: 1, price: 11, share: 3 })
  expect(ask(driver, 'usd')).toMatchObject({ price: 12, share: 3 })
  const put = endpoint('put', Company, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, __: unknown, body: object) => body,
  })
  const request = driver.open(put, [
    { id: 1, currency: 'usd' },
    { id: 1, price: 50 },
  ])
  expect(ask(driver, 'usd').price).toBe(50)
  expect(ask(driver, 'eur').price).toBe(9)
  request.fail(new Error('no'))
  expect(ask(driver, 'usd').price).toBe(12)
})

describe('SCA-6 memoising', () => {
  test('SCA-6 the value varies with the arguments', () => {
    const driver = filled()
    const read = (more: object): unknown => driver.read(Company, [{ id: 1, ...more }]).data
    expect(read({ currency: 'usd' })).not.toBe(read({ currency: 'eur' }))
    expect(read({ currency: 'usd', other: [] })).toBe(read({ currency: 'usd', other: [] }))
  })

  test('SCA-6 a change under one lens leaves the others', () => {
    const driver = filled()
    const eur = ask(driver, 'eur')
    driver.open(getCompany, [{ id: 1, currency: 'usd' }]).answer({ id: 1, price: 77 })
    expect(ask(driver, 'eur')).toBe(eur)
    expect(ask(driver, 'usd').price).toBe(77)
  })

  test.each<[string, unknown, any[]]>([
    ['a Collection', new Collection([Company], { argsKey: () => ({}) }), []],
    ['a map Collection', new Collection(new Values(Company), { argsKey: () => ({}) }), []],
    ['All', new All(Company), []],
    ['a Query', new Query(new All(Company), (all: Company[]) => all), []],
    ['an array', [Company], []],
    ['an object', { one: Company }, [{ id: 1 }]],
  ])('SCA-6 the same list is read with the lens of its reader: %s', (_, schema) => {
    const driver = createDriver()
    const get = endpoint('get', schema)
    const answer = (price: number): unknown => {
      const company = { id: 1, price }
      return Array.isArray(schema) || !('one' in (schema as object)) ? [company] : { one: company }
    }
    const price = (currency: string): unknown =>
      (Object.values(driver.read(get, [{ id: 1, currency }]).data as object)[0] as Company).price
    driver.open(get, [{ id: 1, currency: 'usd' }]).answer(answer(10))
    expect(price('usd')).toBe(10)
    driver.open(get, [{ id: 1, currency: 'eur' }]).answer(answer(9))
    expect([price('usd'), price('eur'), price('usd')]).toEqual([10, 9, 10])
  })

  test('SCA-6 through a relation, and through a nested list', () => {
    class Owner extends Entity {
      id = ''
      company = Company.fromJS()
      companies: Company[] = []
      static override key = 'Owner'
      static override schema = {
        company: Company,
        companies: new Collection([Company], { nestKey: ({ id }: { id: string }) => ({ owner: id }) }),
      }
    }
    const driver = createDriver()
    const get = endpoint('owner', Owner)
    for (const [currency, price] of [
      ['usd', 10],
      ['eur', 9],
    ] as const) {
      driver
        .open(get, [{ id: 5, currency }])
        .answer({ id: 5, company: { id: 1, price }, companies: [{ id: 1, price }] })
    }
    const shown = (currency: string): unknown => {
      const { company, companies } = driver.read(get, [{ id: 5, currency }]).data
      return [company.price, companies[0].price]
    }
    expect([shown('usd'), shown('eur'), shown('usd')]).toEqual([
      [10, 10],
      [9, 9],
      [10, 10],
    ])
    const args = [{ id: 5, currency: 'usd' }]
    expect(driver.read(get, args).data).toBe(driver.read(Owner, args).data)
  })
})

test('SCA-7 a pk of its own addresses one cell on write and on read', () => {
  class Row extends Entity {
    name = ''
    price: number | undefined = undefined
    static override key = 'Row'
    static override schema = { price: money }
    override pk(_parent: unknown, key: string, [first]: readonly any[]): string {
      return `${first?.sheet}/${key}`
    }
  }
  const driver = createDriver()
  const get = endpoint('rows', new Values(Row))
  driver.open(get, [{ sheet: 's', currency: 'usd' }]).answer({ a: { price: 1 }, b: { price: 2 } })
  driver.open(get, [{ sheet: 's', currency: 'eur' }]).answer({ a: { price: 3 } })
  expect(driver.read(get, [{ sheet: 's', currency: 'usd' }]).data).toMatchObject({ a: { price: 1 }, b: { price: 2 } })
  expect(driver.read(get, [{ sheet: 's', currency: 'eur' }]).data).toMatchObject({ a: { price: 3 } })
  expect(Object.keys(driver.getState().entities['Scalar(money)']!)).toEqual([
    'Row|s/a|usd',
    'Row|s/b|usd',
    'Row|s/a|eur',
  ])
})

describe('SCA-8 as a queryable', () => {
  const price = new Scalar({ key: 'money', lens, entity: Company })

  test('SCA-8 the value of the cell, or its fields when it has several', () => {
    const driver = filled()
    expect(driver.read(price, [{ id: 1, currency: 'eur' }]).data).toBe(9)
    expect(driver.read(price, [{ id: 1, currency: 'usd' }]).data).toEqual({ price: 10, share: 0 })
    for (const args of [[], [{}], [{ id: 1 }], [{ id: 1, currency: 'yen' }], [{ id: 2, currency: 'usd' }]]) {
      expect(driver.read(price, args).data).toBeUndefined()
    }
  })

  test('SCA-8 the reader follows its cell', () => {
    const driver = filled()
    let told = 0
    driver.subscribe(price, [{ id: 1, currency: 'eur' }], () => told++)
    driver.set(Company, [{ id: 1, currency: 'usd' }], { id: 1, price: 5 })
    expect(told).toBe(0)
    driver.set(Company, [{ id: 1, currency: 'eur' }], { id: 1, price: 8 })
    expect(driver.read(price, [{ id: 1, currency: 'eur' }]).data).toBe(8)
  })

  test('SCA-8 a reader of a cell that is not there yet is notified', async () => {
    const driver = createDriver()
    let notified = 0
    const args = [{ id: 1, currency: 'usd' }]
    driver.subscribe(price, args, () => notified++)
    expect(driver.read(price, args).data).toBeUndefined()
    driver.open(getCompany, args).answer({ id: 1, price: 10 })
    await tick()
    expect(notified).toBe(1)
    expect(driver.read(price, args).data).toBe(10)
  })

  test('SCA-8 without an entity it throws', () => {
    expect(() => filled().read(money, [{ id: 1, currency: 'usd' }])).toThrow('scalar-entity')
  })

  test('SCA-8 where two entities have a cell for the pk, `entity` says which', () => {
    class Fund extends Entity {
      id = ''
      price: number | undefined = undefined
      static override key = 'Fund'
      static override schema = { price: money }
    }
    const driver = createDriver()
    const args = [{ id: 1, currency: 'usd' }]
    driver.open(getCompany, args).answer({ id: 1, price: 10 })
    driver.open(endpoint('fund', Fund), args).answer({ id: 1, price: 20 })
    const priceOf = (entity: typeof Entity): unknown =>
      driver.read(new Scalar({ key: 'money', lens, entity: entity as never }), args).data
    expect([priceOf(Company), priceOf(Fund)]).toEqual([10, 20])
  })

  test('SCA-2 a spread record that is written back keeps its cells', () => {
    const driver = filled()
    driver.set(Company, [{ id: 1, currency: 'usd' }], (company: object) => ({ ...company, name: 'B' }))
    expect(ask(driver, 'usd')).toMatchObject({ name: 'B', price: 10, share: 0 })
    expect(ask(driver, 'eur')).toMatchObject({ name: 'B', price: 9 })
  })
})
