import { createStore, Endpoint, Entity, type Store } from 'restitch'
import { count, from, groupBy, query, skip, sortBy, sum, take, where } from 'restitch/query'
import { type Status, STATUSES } from './issues.ts'

export const SIZE = 100_000
export const OWNERS = [
  'Ana',
  'Bo',
  'Cem',
  'Dana',
  'Eli',
  'Fay',
  'Gus',
  'Hana',
  'Ivo',
  'Jun',
  'Kai',
  'Lea',
  'Max',
  'Noa',
]
const VERBS = ['Check', 'Paint', 'Move', 'Repair', 'Count', 'Label', 'Clean', 'Order', 'Test']
const THINGS = ['door', 'lamp', 'chair', 'window', 'shelf', 'key', 'lock', 'plug', 'sign', 'desk', 'vent']

export class Task extends Entity {
  id = ''
  title = ''
  status: Status = 'backlog'
  owner = ''
  points = 0
  static override key = 'Task'
}

/** The filter and the order of the rows. */
export interface TaskView {
  readonly text: string
  readonly status: Status | null
  readonly sort: 'title' | 'owner' | 'points'
}

/** The rows that fit on the screen. */
export interface Visible extends TaskView {
  readonly first: number
  readonly size: number
}

/** How often a function of a query below has looked at a record. */
export const looks = { count: 0 }

function look<T>(value: T): T {
  looks.count += 1
  return value
}

/** The rows that match, in order. */
const matching = query(
  Task,
  where((task, { text, status }: TaskView) =>
    look((status === null || task.status === status) && task.title.toLowerCase().includes(text.toLowerCase())),
  ),
)
const sorted = query(
  matching,
  sortBy((task, { sort }: TaskView) => look(sort === 'points' ? [task.points, 'desc'] : task[sort])),
)

/** The rows on the screen. To scroll computes nothing again: the order does not depend on the place. */
export const visibleTasks = query(
  from(sorted, ({ text, status, sort }: Visible) => [{ text, status, sort }]),
  take(({ first, size }: Visible) => first + size),
  skip(({ first }: Visible) => first),
)

export const countTasks = query(matching, count())

export const tasksByStatus = query(
  Task,
  groupBy((task) => look(task.status)),
  { tasks: count(), points: sum((task) => task.points) },
)

const loads = query(
  Task,
  groupBy((task) => look(task.owner)),
  { open: count((task) => task.status !== 'done') },
)
export const busiestOwners = query(
  loads,
  sortBy(({ open }) => [open, 'desc']),
  take(5),
)

/** Stores tasks. They are made by the page, as a server would send them. */
export const writeTasks = new Endpoint(async (tasks: Partial<Task>[]) => tasks, {
  name: 'writeTasks',
  sideEffect: true,
  schema: [Task],
})

/** A store of its own: these rows are not kept in the browser, and are gone with the page. */
export function openLargeStore(): { store: Store; loaded: Promise<unknown> } {
  const store = createStore()
  const tasks = Array.from({ length: SIZE }, (_, at) => makeTask(at))
  return { store, loaded: store.controller.fetch(writeTasks, tasks) }
}

function makeTask(at: number): Pick<Task, 'id' | 'title' | 'status' | 'owner' | 'points'> {
  return {
    id: String(at + 1),
    title: `${pick(VERBS, at * 7)} the ${pick(THINGS, at * 31)} in room ${(at * 7919) % 9973}`,
    status: pick(STATUSES, at * 3 + (at >> 5)),
    owner: pick(OWNERS, at * 13 + (at >> 4)),
    points: (at * 17) % 21,
  }
}

/** The fields of a task after a change, by its number. */
export function changeTask(id: number, step: number): Partial<Task> {
  return {
    id: String(id),
    status: pick(STATUSES, id + step),
    owner: pick(OWNERS, id + step * 3),
    points: (id + step * 5) % 21,
  }
}

function pick<T>(values: readonly T[], at: number): T {
  return values[at % values.length]!
}
