// The simplest queue that is right, written without a library: all changes go to the server one after the other, and a change that fails holds up
// all others. If the programme finds a fault here, the programme is wrong.
import type { KillPage } from './app.ts'

interface Task {
  readonly id: string
  readonly name: string
  readonly log: string
}

interface Change {
  readonly id: string
  readonly order: number
  readonly kind: 'create' | 'edit' | 'remove'
  /** The id of its task, which is a temporary one until the server has created it. */
  readonly task: string
  readonly mark: string
  readonly log: string
  readonly key: string
  readonly state: 'pending' | 'failed' | 'conflict'
  readonly theirs?: Task
}

type Rows = Map<string, any>

// Spoilt versions, which the programme has to find.
const spoilt = location.hash.slice(1)
const memory = new Map<string, Rows>()

if (!localStorage.getItem('user')) {
  localStorage.setItem('user', 'ann')
}
let user: string | undefined
let base: readonly Task[] = []
let rows: Rows = new Map()
/** Changes that are shown, and whose transaction has not ended. */
let unsaved: readonly Change[] = []

const saved = (): readonly Change[] =>
  [...rows]
    .flatMap(([key, value]) => (key.startsWith('entry/') ? [value as Change] : []))
    .sort((a, b) => a.order - b.order)
const realId = (id: string): string => rows.get(`alias/${id}`) ?? id
const done = (request: IDBRequest): Promise<any> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error!))
  })

/** Changes all rows of a user in one transaction. */
async function transact(of: string, change: (all: Rows) => void): Promise<void> {
  if (spoilt === 'memory') {
    memory.set(of, memory.get(of) ?? new Map())
    change(memory.get(of)!)
    rows = memory.get(of)!
    return
  }
  const opening = indexedDB.open(`kills ${of}`, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('rows'))
  const database: IDBDatabase = await done(opening)
  const next: Rows = new Map()
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction('rows', 'readwrite', { durability: 'strict' })
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error!))
    const store = transaction.objectStore('rows')
    const keys = store.getAllKeys()
    const values = store.getAll()
    values.addEventListener('success', () => {
      keys.result.forEach((key, i) => next.set(String(key), values.result[i]))
      const before = new Map(next)
      change(next)
      before.forEach((_, key) => next.has(key) || store.delete(key))
      next.forEach((value, key) => value === before.get(key) || store.put(value, key))
    })
  })
  database.close()
  if (of === user) {
    rows = next
  }
}

/** Follows the user who is signed in, in whatever tab. */
function follow(): void {
  const now = localStorage.getItem('user') ?? undefined
  if (now !== user) {
    user = now
    base = []
    rows = new Map()
    unsaved = []
  }
}

async function request(of: string, method: string, path: string, body?: object, key?: string): Promise<Response> {
  const headers = {
    'x-user': of,
    'content-type': 'application/json',
    ...(key && spoilt !== 'keys' && { 'idempotency-key': key }),
  }
  return fetch(`/api/tasks${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

async function load(): Promise<boolean> {
  follow()
  const of = user
  try {
    const response = of === undefined ? undefined : await request(of, 'GET', '')
    const tasks = response?.ok ? await response.json() : undefined
    await (of !== undefined && transact(of, () => {}))
    if (tasks && of === user) {
      base = tasks
    }
    return tasks !== undefined && of === user
  } catch {
    return false
  }
}

/** The tasks of the server, with all that waits. */
function screen(): Task[] {
  let tasks = [...base]
  for (const { kind, task, mark } of [...saved(), ...unsaved].filter(({ state }) => state === 'pending')) {
    const id = realId(task)
    if (kind === 'create') {
      tasks.push({ id: task, name: mark, log: `${mark} ` })
    } else {
      tasks = tasks.flatMap((one) =>
        one.id !== id ? [one] : kind === 'remove' ? [] : [{ ...one, log: `${one.log}${mark} ` }],
      )
    }
  }
  return tasks
}

async function add(kind: Change['kind'], task: string, mark: string, log: string): Promise<void> {
  const of = user!
  const made: Change = {
    id: crypto.randomUUID(),
    order: 0,
    kind,
    task,
    mark,
    log,
    key: crypto.randomUUID(),
    state: 'pending',
  }
  unsaved = [...unsaved, made]
  await transact(of, (all) => {
    const orders = [...all].flatMap(([key, value]) => (key.startsWith('entry/') ? [value.order as number] : [0]))
    all.set(`entry/${made.id}`, { ...made, order: Math.max(0, ...orders) + 1 })
  })
  unsaved = unsaved.filter((one) => one !== made)
}

/** Sends the first change that waits. Resolves to false if it has to wait longer. */
async function sendFirst(of: string): Promise<boolean> {
  await transact(of, () => {})
  const change = saved().find(({ state }) => state === 'pending')
  if (!change || of !== user) {
    return false
  }
  const { id, kind, task, mark, log, key } = change
  const path = kind === 'create' ? '' : `/${realId(task)}`
  const sent =
    kind === 'create'
      ? request(of, 'POST', '', { name: mark, log, mark }, key)
      : kind === 'edit'
        ? request(of, 'PATCH', path, { log, mark }, key)
        : request(of, 'DELETE', `${path}?mark=${mark}`, undefined, key)
  const response = await sent.catch(() => undefined)
  const isReadable = response?.headers.get('content-type') === 'application/json'
  const body = isReadable ? await response!.json().catch(() => undefined) : undefined
  const status = body === undefined ? 0 : response!.status
  if (status === 0 || status === 401 || status === 429 || status >= 500) {
    return false
  }
  const isCrossed = status === 409 || status === 412
  const found = isCrossed ? await request(of, 'GET', path).catch(() => undefined) : undefined
  const theirs = found?.ok ? await found.json() : undefined
  await transact(of, (all) => {
    if (status < 300) {
      all.delete(`entry/${id}`)
      if (kind === 'create') {
        all.set(`alias/${task}`, body.id)
      }
      return
    }
    all.set(`entry/${id}`, { ...change, state: isCrossed ? 'conflict' : 'failed', theirs })
    for (const one of kind === 'create' ? saved() : []) {
      if (one.task === task && one.id !== id) {
        all.set(`entry/${one.id}`, { ...one, state: 'failed' })
      }
    }
  })
  await load()
  return true
}

async function drain(): Promise<void> {
  follow()
  const of = user
  if (of !== undefined) {
    await navigator.locks.request(`send ${of}`, { ifAvailable: true }, async (lock) => {
      let isMore = lock !== null
      while (isMore) {
        isMore = await sendFirst(of)
      }
    })
  }
}

const repeat = (run: () => Promise<unknown>, pause: number): void => {
  void run()
    .catch(() => {})
    .then(() => setTimeout(() => repeat(run, pause), pause))
}
setInterval(follow, 20)
repeat(drain, 60)
repeat(load, 700)

const page: KillPage = {
  user: () => localStorage.getItem('user') ?? undefined,
  async signIn(next) {
    localStorage.setItem('user', next)
    await page.ready()
  },
  async signOut() {
    localStorage.removeItem('user')
    follow()
  },
  async ready() {
    while (!(await load())) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  },
  screen: () => screen().map(({ name, log }) => ({ name, log })),
  async create(mark) {
    const id = `new-${mark}`
    void add('create', id, mark, `${mark} `)
    return screen().find((task) => task.id === id)?.id
  },
  async edit(name, mark) {
    const task = screen().find((one) => one.name === name)
    if (task) {
      void add('edit', task.id, mark, `${task.log}${mark} `)
    }
    return screen()
      .find((one) => one.id === task?.id)
      ?.log.includes(`${mark} `)
      ? task?.id
      : undefined
  },
  async remove(name, mark) {
    const task = screen().find((one) => one.name === name)
    if (task) {
      void add('remove', task.id, mark, '')
    }
    return task?.id
  },
  entries: () => [...saved(), ...unsaved].map(({ id, state, mark }) => ({ id, state, mark, message: undefined })),
  unsaved: () => unsaved.map(({ mark }) => mark),
  hurry: () => void drain(),
  async retry(id) {
    const change = saved().find((one) => one.id === id)!
    const { theirs, mark } = change
    await transact(user!, (all) => {
      const log = theirs ? `${theirs.log}${mark} ` : change.log
      all.set(`entry/${id}`, { ...change, log, key: crypto.randomUUID(), state: 'pending' })
      for (const one of change.kind === 'create' ? saved() : []) {
        if (one.task === change.task && one.id !== id) {
          all.set(`entry/${one.id}`, { ...one, state: 'pending' })
        }
      }
    })
  },
  async discard(id) {
    const change = saved().find((one) => one.id === id)!
    const gone = saved().filter((one) => one.id === id || (change.kind === 'create' && one.task === change.task))
    await transact(user!, (all) => gone.forEach((one) => all.delete(`entry/${one.id}`)))
    return { gone: gone.map(({ mark }) => mark), perhaps: [] }
  },
}
Object.assign(globalThis, { page })
