import { expectTypeOf } from 'vitest'
import { Entity } from '../kinds/Entity.ts'
import { Union } from '../kinds/Union.ts'
import { resource } from '../rest/resource.ts'
import { createStore } from '../client/createStore.ts'
import { useQuery } from '../react/hooks/useQuery.ts'
import { first, skip, sortBy, take, where } from './operators.ts'
import { average, count, distinct, groupBy, max, sum } from './aggregates.ts'
import { from } from './from.ts'
import { keyBy } from './keyBy.ts'
import { query } from './query.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}
class Task extends Entity {
  id = ''
  title = ''
  done = false
  due: number | undefined = undefined
  owner: User = User.fromJS()
  static override key = 'Task'
  static override schema = { owner: User }
}
const Tasks = resource({ path: '/tasks/:id', schema: Task, searchParams: {} as { team?: string } })

const open = query(
  Task,
  where((t) => {
    expectTypeOf(t).toEqualTypeOf<Task>()
    return !t.done
  }),
  sortBy((t) => t.due),
  take(50),
)
expectTypeOf(open._out).toEqualTypeOf<Task[]>()
expectTypeOf(open._args).toEqualTypeOf<[]>()

const mine = query(
  Task,
  where((t, { user }: { user: string }) => t.owner.id === user),
  sortBy(
    (t) => [t.title, 'desc'],
    (t) => t.due,
  ),
  skip(({ from }: { from: number }) => from),
  take(10),
)
expectTypeOf(mine._args).toEqualTypeOf<[{ user: string } & { from: number }]>()

const due = query(
  Task,
  where((t): t is Task & { due: number } => t.due !== undefined),
  sortBy((t) => {
    expectTypeOf(t.due).toEqualTypeOf<number>()
    return t.due
  }),
  first(),
)
expectTypeOf(due._out).toEqualTypeOf<(Task & { due: number }) | undefined>()

const listed = query(
  Tasks.getList,
  where((t) => !t.done),
)
expectTypeOf(listed._out).toEqualTypeOf<Task[]>()

const both = query(
  new Union({ task: Task, user: User }, 'id'),
  where((one) => one.id !== ''),
)
expectTypeOf(both._out).toEqualTypeOf<(Task | User)[]>()

const nested = query(open, first())
expectTypeOf(nested._out).toEqualTypeOf<Task | undefined>()

export function Component(): undefined {
  expectTypeOf(useQuery(open)).toEqualTypeOf<Task[] | undefined>()
  expectTypeOf(useQuery(mine, { user: '5', from: 0 })).toEqualTypeOf<Task[] | undefined>()
  useQuery(mine, null)
  // @ts-expect-error -- the argument of `skip` is missing
  useQuery(mine, { user: '5' })
  // @ts-expect-error -- a query of all records has no arguments
  useQuery(open, { user: '5' })
  expectTypeOf(useQuery(listed, { team: 'a' })).toEqualTypeOf<Task[] | undefined>()
  return undefined
}

const { controller, view } = createStore()
expectTypeOf(controller.get(open)).toEqualTypeOf<Task[] | undefined>()
expectTypeOf(view(due).read().data).toEqualTypeOf<(Task & { due: number }) | undefined>()

query(
  Task,
  // @ts-expect-error -- no member of a task
  where((t) => t.dun),
)
query(
  Task,
  first(),
  // @ts-expect-error -- nothing follows `first`
  where((t) => !t.done),
)
query(
  Task,
  // @ts-expect-error -- a record is no sort key
  sortBy((t) => t.owner),
)
// @ts-expect-error -- a number
query(Task, take('5'))

const load = query(
  Task,
  groupBy((t) => t.owner.id),
  {
    open: count((t) => !t.done),
    all: count(),
    latest: max((t) => {
      expectTypeOf(t).toEqualTypeOf<Task>()
      return t.due
    }),
  },
)
expectTypeOf(load._out[0]!.key).toEqualTypeOf<string>()
expectTypeOf(load._out[0]!.open).toEqualTypeOf<number>()
expectTypeOf(load._out[0]!.latest).toEqualTypeOf<number | undefined>()
expectTypeOf(load._args).toEqualTypeOf<[]>()

const busiest = query(
  load,
  where((group, { least }: { least: number }) => group.open >= least),
  sortBy((group) => [group.open, 'desc']),
  first(),
)
expectTypeOf(busiest._args).toEqualTypeOf<[{ least: number }]>()
expectTypeOf(busiest._out?.key).toEqualTypeOf<string | undefined>()

const total = query(Task, {
  late: count((t, { now }: { now: number }) => (t.due ?? 0) < now),
  hours: sum((t) => t.due),
})
expectTypeOf(total._out.late).toEqualTypeOf<number>()
expectTypeOf(total._args).toEqualTypeOf<[{ now: number }]>()

const number = query(
  Task,
  where((t) => t.done),
  average((t) => t.due),
)
expectTypeOf(number._out).toEqualTypeOf<number | undefined>()

const sections = query(
  Task,
  groupBy((t) => t.done),
)
expectTypeOf(sections._out[0]!.records).toEqualTypeOf<readonly Task[]>()
expectTypeOf(sections._out[0]!.key).toEqualTypeOf<boolean>()

const owners = query(
  Task,
  distinct((t) => t.owner.name),
  take(5),
)
expectTypeOf(owners._out).toEqualTypeOf<string[]>()

const found = query(
  from(Tasks.getList, ({ team }: { team: string; text: string }) => [{ team }]),
  where((t, { text }: { text: string }) => t.title.includes(text)),
  keyBy((t) => t.id),
)
expectTypeOf(found._out).toEqualTypeOf<ReadonlyMap<string, Task>>()
expectTypeOf(found._args[0].team).toEqualTypeOf<string>()
query(
  // @ts-expect-error -- no argument of the list
  from(Tasks.getList, () => [{ teem: 'a' }]),
)
