// A page that is used without a pause: it polls, components mount and leave, records are created, edited and deleted, and
// some of the requests fail. The server is in the page and keeps fifty records.
import { Component, createElement as h, type ReactNode, StrictMode, Suspense, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createStore, Entity, GCPolicy, resource } from 'restitch'
import { DataProvider, useDLE, useLive, useSuspense } from 'restitch/react'

class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  static override key = 'Todo'
}

const MOST = 50
const GROUPS = ['a', 'b', 'c']
const counts = { requests: 0, failures: 0, actions: 0, unhandled: 0 }
const rows = new Map<string, { id: string; title: string; group: string }>()
let next = 0
/** With `?leak` it keeps hold of all that it unmounts, to see that this is found. */
const leaks: unknown[] | undefined = location.search === '?leak' ? [] : undefined

const todos = resource({
  urlPrefix: 'http://soak',
  path: '/todos/:id',
  searchParams: {} as { group?: string } | undefined,
  schema: Todo,
  optimistic: true,
  pollFrequency: 500,
  dataExpiryLength: 2_000,
  errorExpiryLength: 200,
  fetchResponse: serve,
} as any) as any

async function serve(url: string, init: RequestInit): Promise<Response> {
  counts.requests++
  const { pathname, searchParams } = new URL(url)
  const id = pathname.split('/')[2] ?? ''
  await new Promise((done) => setTimeout(done, Math.random() * 80))
  if (Math.random() < 0.1) {
    counts.failures++
    return new Response('no', { status: Math.random() < 0.5 ? 503 : 404 })
  }
  const body = init.body ? JSON.parse(String(init.body)) : {}
  if (init.method === 'POST') {
    return Response.json(create(body))
  }
  if (init.method === 'DELETE') {
    rows.delete(id)
    return Response.json({ id })
  }
  if (id === '') {
    const group = searchParams.get('group')
    return Response.json([...rows.values()].filter((row) => group === null || row.group === group))
  }
  const row = rows.get(id)
  if (!row) {
    return new Response('gone', { status: 404 })
  }
  Object.assign(row, body)
  return Response.json(row)
}

function create({ title = 'new', group = 'a' }: { title?: string; group?: string }): object {
  const row = { id: String(next++), title, group }
  rows.set(row.id, row)
  if (rows.size > MOST) {
    rows.delete(pick([...rows.keys()]))
  }
  return row
}

class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false }
  static getDerivedStateFromError(): object {
    return { failed: true }
  }
  override render(): ReactNode {
    return this.state.failed ? 'failed' : this.props.children
  }
}

const List = ({ group }: { group: string }): ReactNode =>
  h(
    'ul',
    null,
    (useLive(todos.getList, { group }) as Todo[]).map(({ id, title }) => h('li', { key: id }, title)),
  )
const Detail = ({ id }: { id: string }): ReactNode => h('p', null, (useSuspense(todos.get, { id }) as Todo).title)
const Beside = ({ id }: { id: string }): ReactNode => String((useDLE(todos.get, { id }) as any).data?.title)

const store = createStore({ gcPolicy: new GCPolicy({ intervalMS: 5_000 }) } as any)
const { controller } = store
let show!: (seed: number) => void

function App(): ReactNode {
  const [seed, setSeed] = useState(0)
  show = setSeed
  const ids = [...rows.keys()].filter((_, at) => (at + seed) % 5 === 0)
  const guard = (key: string, child: ReactNode): ReactNode =>
    h(Boundary, { key: `${key} ${seed}` } as any, h(Suspense, { fallback: '…' }, child))
  return [
    guard('list', h(List, { group: GROUPS[seed % 3]! })),
    ...ids.map((id) => guard(id, h(seed % 2 ? Detail : Beside, { id }))),
  ]
}

const act: (() => Promise<unknown>)[] = [
  () => controller.fetch(todos.getList.push, { title: `new ${next}`, group: pick(GROUPS) }),
  () => controller.fetch(todos.partialUpdate, { id: pick([...rows.keys()]) }, { title: `edit ${counts.actions}` }),
  () => controller.fetch(todos.delete, { id: pick([...rows.keys()]) }),
  () => controller.fetch(todos.getList.move, { id: pick([...rows.keys()]) }, { group: pick(GROUPS) }),
  async () => controller.invalidate(todos.get, { id: pick([...rows.keys()]) }),
]

function step(): void {
  counts.actions++
  pick(act)().catch(() => {})
  if (counts.actions % 5 === 0) {
    leaks?.push(document.getElementById('root')!.cloneNode(true), () => counts)
    if (leaks) {
      addEventListener('leak', leaks.at(-1) as () => void)
    }
    show(counts.actions)
  }
  if (rows.size < MOST / 2) {
    create({ group: pick(GROUPS) })
  }
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!
}

addEventListener('unhandledrejection', () => counts.unhandled++)
for (let i = 0; i < MOST; i++) {
  create({ group: pick(GROUPS) })
}
createRoot(document.getElementById('root')!).render(h(StrictMode, null, h(DataProvider, { store } as any, h(App))))
const timer = setInterval(step, 50)

/** Ends all activity, and says what went on. */
Object.assign(globalThis, { soak: { counts, size: sizeOf, stop: () => clearInterval(timer) } })

/** How many rows and results the store keeps. */
function sizeOf(): number {
  const { entities, endpoints } = store.getState()
  return (
    Object.keys(endpoints).length + Object.values(entities).reduce((sum, rows) => sum + Object.keys(rows!).length, 0)
  )
}
