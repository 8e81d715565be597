// Queries beside what they should be, through generated histories.

import fc from 'fast-check'
import { All } from '../../src/kinds/All.ts'
import { Collection } from '../../src/kinds/Collection.ts'
import { Entity } from '../../src/kinds/Entity.ts'
import { Invalidate } from '../../src/kinds/Invalidate.ts'
import { Query } from '../../src/kinds/Query.ts'
import { Union } from '../../src/kinds/Union.ts'
import { createDriver, type Driver, type DrivenRequest } from '../../src/testing/drivers.ts'
import { endpoint, mutation } from '../../src/testing/endpoints.ts'
import { naive, type Naive, naiveCompare } from './naive.ts'
import { average, count, distinct, groupBy, max, min, sum } from '../../src/query/aggregates.ts'
import { from } from '../../src/query/from.ts'
import { keyBy } from '../../src/query/keyBy.ts'
import { first, skip, sortBy, take, where } from '../../src/query/operators.ts'
import { query } from '../../src/query/query.ts'

class Team extends Entity {
  id = ''
  name = ''
  static override key = 'Team'
}
class User extends Entity {
  id = ''
  name = ''
  team: Team | undefined = undefined
  tasks: Task[] = []
  static override key = 'User'
}
class Task extends Entity {
  id = ''
  kind = 'task'
  done = false
  due: any = undefined
  owner: User | undefined = undefined
  static override key = 'Task'
}
/** It requires its owner. */
class Note extends Entity {
  id = ''
  kind = 'note'
  done = false
  due: any = undefined
  owner: User = User.fromJS()
  static override key = 'Note'
}
Object.assign(User, { schema: { team: Team, tasks: [Task] } })
Object.assign(Task, { schema: { owner: User } })
Object.assign(Note, { schema: { owner: User } })

const union = new Union({ task: Task, note: Note } as never, 'kind' as never) as any
const getList = endpoint('/list', new Collection([Task]))
const getPart = endpoint('/part', { items: [Task], total: undefined })
const patch = mutation('PATCH', Task, ({ id }, body) => ({ id, ...body }))
const create = mutation('POST', getList.schema.push, (body) => body)
const remove = mutation('DELETE', new Invalidate(Task), ({ id }) => ({ id }))

const id = fc.constantFrom('1', '2', '3', '10', '11')
const due = fc.constantFrom(undefined, null, Number.NaN, 0, 1, 2.5, -1, Infinity, 'a', 'B', true)
const who = fc.constantFrom('u', 'v', 'w', null)
const fields = fc.record({ due, done: fc.boolean(), owner: who }, { requiredKeys: [] })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('set' as const), id, fields }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('note' as const), id, fields }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('user' as const),
      id: who,
      fields: fc.record({ name: fc.constantFrom('x', 'y'), team: fc.constantFrom('t', 's') }, { requiredKeys: [] }),
      tasks: fc.option(fc.subarray(['1', '2', '3'])),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('team' as const), name: fc.constantFrom('x', 'y') }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('patch' as const, 'create' as const, 'remove' as const), id, fields }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('answer' as const, 'fail' as const), at: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('drop' as const, 'dropUser' as const, 'collect' as const), id }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('list' as const, 'part' as const),
      ids: fc.subarray(['1', '2', '3', '10', '11', '12']),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('reset' as const, 'restore' as const, 'watch' as const, 'end' as const),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** An operator as it is declared, and what it means. */
type Pair = readonly [live: any, naive: Naive]

const isOpen = (t: any): boolean => !t.done
const nameOf = (t: any): unknown => t.owner?.name
const teamOf = (t: any): unknown => t.owner?.team?.name
const least = (t: any, { least: than }: any): boolean => naiveCompare(t.due, than) >= 0
const hasPeer = (t: any): boolean => t.owner?.tasks.some((other: any) => other.done) ?? false
const byDue = (t: any): unknown => t.due
const byDueDown = (t: any): unknown => [t.due, 'desc']
const number = (t: any): any => (typeof t.due === 'number' ? t.due : undefined)
const numbers = (items: any[]): number[] => items.map(number).filter((one) => one !== undefined)
const add = (all: number[]): number => all.reduce((a, b) => a + b, 0)
const ends = (items: any[], sign: number): unknown =>
  items
    .map(byDue)
    .filter((one) => one !== undefined && one !== null && !Number.isNaN(one))
    .sort((a, b) => naiveCompare(a, b) * sign)[0]
const mean = (items: any[]): unknown =>
  numbers(items).length > 0 ? add(numbers(items)) / numbers(items).length : undefined
const totals = {
  n: count(isOpen),
  sum: sum(number),
  mean: average(number),
  low: min(byDue as any),
  top: max(byDue as any),
}
const naiveTotals = (items: any[]): object => ({
  n: items.filter(isOpen).length,
  sum: add(numbers(items)),
  mean: mean(items),
  low: ends(items, 1),
  top: ends(items, -1),
})

/** The parts that queries are made of. */
const PARTS: Readonly<Record<string, readonly Pair[]>> = {
  open: [[where(isOpen), naive.where(isOpen)]],
  named: [[where((t: any) => nameOf(t) === 'x'), naive.where((t) => nameOf(t) === 'x')]],
  inTeam: [[where((t: any) => teamOf(t) !== 'y'), naive.where((t) => teamOf(t) !== 'y')]],
  least: [[where(least), naive.where(least)]],
  peers: [[where(hasPeer), naive.where(hasPeer)]],
  byDue: [[sortBy(byDue as any), naive.sortBy(byDue)]],
  byDueDown: [[sortBy(byDueDown as any, nameOf as any), naive.sortBy(byDueDown, nameOf)]],
  byTeam: [[sortBy(teamOf as any, byDue as any), naive.sortBy(teamOf, byDue)]],
  take: [[take(2), naive.slice(() => [0, 2])]],
  skip: [[skip(1), naive.slice(() => [1, Infinity])]],
  takeSize: [[take(({ size }: any) => size), naive.slice(({ size }) => [0, size])]],
}
const ENDS: Readonly<Record<string, readonly Pair[]>> = {
  all: [],
  first: [[first(), naive.first()]],
  count: [[count(least as any), naive.of((items, args) => items.filter((item) => least(item, args)).length)]],
  totals: [[totals, naive.of(naiveTotals)]],
  groups: [[groupBy(nameOf as any), naive.groupBy(nameOf, (key, records) => ({ key, records }))]],
  load: [
    [groupBy(teamOf as any), (items) => items],
    [totals, naive.groupBy(teamOf, (key, records) => Object.assign({ key }, naiveTotals(records)))],
    [where((g: any) => g.n > 0), naive.where((g) => g.n > 0)],
    [sortBy((g: any) => [g.n, 'desc']), naive.sortBy((g) => [g.n, 'desc'])],
  ],
  groupsWhere: [
    [groupBy(nameOf as any), naive.groupBy(nameOf, (key, records) => ({ key, records }))],
    [
      where((g: any) => g.records.some((t: any) => teamOf(t) === 'x')),
      naive.where((g) => g.records.some((t: any) => teamOf(t) === 'x')),
    ],
  ],
  distinct: [[distinct(byDue as any), naive.groupBy(byDue, (key) => key)]],
  keyBy: [[keyBy(nameOf as any), naive.of((items) => new Map(items.map((item) => [nameOf(item), item])))]],
}

const all = (target: any) => (driver: Driver) => driver.read(new Query(target), []).data
const whole = (endpoint: object): any => from(endpoint as never, (() => []) as never)
const INPUTS: Readonly<Record<string, readonly [input: any, read: (driver: Driver) => any]>> = {
  Task: [Task, all(new All(Task))],
  Note: [Note, all(new All(Note))],
  union: [union, all(new All(union))],
  list: [whole(getList), (driver) => driver.read(getList, []).data],
  part: [query(whole(getPart)), (driver) => driver.read(getPart, []).data?.items],
}

/** A store, queries over it, and what they should be. */
class Machine {
  readonly driver = createDriver()
  readonly open: DrivenRequest[] = []
  readonly queries: readonly (readonly [live: any, naive: (args: any, driver?: Driver) => unknown])[]
  readonly args = [
    { least: 1, size: 2 },
    { least: 'a', size: 0 },
  ]
  watches: (() => void)[] = []
  #state: any

  constructor(chosen: readonly Chosen[]) {
    this.queries = chosen.map(([name, parts, end]) => {
      const pairs = [...parts.flatMap((part) => PARTS[part]!), ...ENDS[end]!]
      const [input, read] = INPUTS[name]!
      const live = (query as any)(input, ...pairs.map(([one]) => one))
      const compute = (args: any, driver: Driver = this.driver): unknown => {
        const items = read(driver)
        return items && pairs.reduce((found, [, run]) => run(found, args), items)
      }
      return [live, compute] as const
    })
  }

  /** False where a read is wrong. */
  run(step: Step): boolean {
    const { driver, open } = this
    const known = (key: string, pk: string): boolean => driver.store.tables.table(key).byPk.get(pk)?.value !== undefined
    switch (step.do) {
      case 'set':
        driver.set(Task, [{ id: step.id }], { id: step.id, ...step.fields })
        break
      case 'note':
        driver.set(Note, [{ id: step.id }], { id: step.id, kind: 'note', ...step.fields })
        break
      case 'user':
        if (step.id !== null) {
          driver.set(User, [{ id: step.id }], { id: step.id, ...step.fields, ...(step.tasks && { tasks: step.tasks }) })
        }
        break
      case 'team':
        driver.set(Team, [{ id: 't' }], { id: 't', name: step.name })
        break
      case 'patch':
        open.push(driver.open(patch, [{ id: step.id }, step.fields]))
        break
      case 'create':
        open.push(driver.open(create, [{ id: `n${step.id}`, ...step.fields }]))
        break
      case 'remove':
        open.push(driver.open(remove, [{ id: step.id }]))
        break
      case 'answer':
      case 'fail': {
        const [request] = open.splice(step.at % Math.max(open.length, 1), 1)
        if (step.do === 'fail') {
          request?.fail(new Error('no'))
        } else if (request) {
          const [{ id: pk }, body] = request.action.args as any
          request.answer({ id: pk, ...body })
        }
        break
      }
      case 'drop':
        driver.set(new Invalidate(Task) as any, [{ id: step.id }], { id: step.id })
        break
      case 'dropUser':
        driver.set(new Invalidate(User) as any, [{ id: 'u' }], { id: 'u' })
        break
      case 'collect':
        if (known('Task', step.id)) {
          void driver.apply({
            type: 'rdc/gc',
            entities: [
              { key: 'Task', pk: step.id },
              { key: 'User', pk: 'u' },
            ],
            endpoints: [],
          })
        }
        break
      case 'list':
        driver.setResponse(getList, [], step.ids.map(toRecord))
        break
      case 'part':
        driver.setResponse(getPart, [], { items: step.ids.map(toRecord), total: step.ids.length })
        break
      case 'reset':
        open.length = 0
        driver.reset()
        break
      case 'restore':
        if (this.#state) {
          driver.restore(this.#state)
        }
        this.#state = driver.getState()
        break
      case 'watch':
        this.watches.push(...this.queries.map(([live]) => driver.subscribe(live, [this.args[0]], () => {})))
        break
      case 'end':
        this.watches.splice(0).forEach((end) => end())
        break
      default:
        return this.isRight()
    }
    return true
  }

  /** False where a result is another one than its functions make of all records, or is another object at the next read. */
  isRight(): boolean {
    const { driver } = this
    return this.queries.every(([live, compute]) =>
      this.args.every((args) => {
        const found = driver.read(live, [args]).data
        return isSame(found, compute(args)) && isSame(driver.read(live, [args]).data, found)
      }),
    )
  }

  /** The same of the committed state, which is read by itself. */
  isStateRight(): boolean {
    const { driver } = this
    const state = driver.getState()
    const other = createDriver()
    other.restore(state)
    return this.queries.every(([live, compute]) => {
      const [args] = this.args
      return equal(flat(driver.read(live, [args, state]).data), flat(compute(args, other)))
    })
  }
}

/** Records have to be the same objects, groups and totals equal ones. */
function isSame(found: any, expected: any): boolean {
  if (found instanceof Map && expected instanceof Map) {
    return isSame([...found], [...expected])
  }
  if (expected instanceof Entity || Object(expected) !== expected || Object(found) !== found) {
    return Object.is(found, expected)
  }
  const names = Object.keys(expected as object)
  return (
    Object.keys(found as object).join() === names.join() && names.every((name) => isSame(found[name], expected[name]))
  )
}

function equal(a: unknown, b: unknown): boolean {
  return show(a) === show(b)
}

/** A record in a response. */
function toRecord(id: string): object {
  return { id }
}

function flat(value: any): unknown {
  if (value instanceof Entity) {
    return value.pk()
  }
  if (value instanceof Map) {
    return [...value].map(flat)
  }
  return Object(value) === value
    ? Object.entries(value as object).map(([name, one]) => `${name}: ${show(flat(one))}`)
    : value
}

function show(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(show).join()}]` : `${typeof value} ${String(value)}`
}

/** A query by its input and its parts. */
type Chosen = readonly [input: string, parts: readonly string[], end: string]

/** Queries and a history. */
export const runs: fc.Arbitrary<[queries: Chosen[], history: any[]]> = fc.tuple(
  fc.array(
    fc.tuple(
      fc.constantFrom(...Object.keys(INPUTS)),
      fc.array(fc.constantFrom(...Object.keys(PARTS)), { maxLength: 4 }),
      fc.constantFrom(...Object.keys(ENDS)),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  fc.array(step, { maxLength: 25 }),
)

/** True if all queries are right whenever they are read. */
export function holds(queries: readonly Chosen[], history: readonly any[]): boolean {
  const machine = new Machine(queries)
  const isRight = history.every((one: Step) => machine.run(one)) && machine.isRight() && machine.isStateRight()
  machine.watches.forEach((end) => end())
  return isRight
}
