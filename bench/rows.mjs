// The rows of the table: what each job is, how large, and what it may cost. README.md says what a subject has to offer.

/** One record as a server sends it: about 470 characters, one author of a hundred, or `author` for all. */
export function todo(i, author = i % 100) {
  return {
    id: i,
    title: `Todo number ${i}`,
    body: `This has to be done for ${i}, for whom, until when, and who will look at it in the end: two sentences. They are about as long as people write them.`,
    done: i % 2 === 0,
    priority: (i * 7919) % 1000,
    comments: i % 7,
    createdAt: '2024-01-01T08:00:00.000Z',
    updatedAt: `2024-01-01T08:00:${10 + (i % 50)}.000Z`,
    dueAt: `2024-02-${10 + (i % 18)}T08:00:00.000Z`,
    tags: ['red', 'green'],
    author: { id: author, name: `User ${author}`, email: `user${author}@example.test` },
  }
}

const SIZES = [1000, 10_000]
const PER_LIST = 10
const CREATES = 100
/** One changed record, then the result. */
const LIVE_TITLES = {
  filter: 'a third of all records, kept up to date',
  sort: 'all records by a field, kept up to date',
  top: 'the first 50 of them, kept up to date',
  groups: 'sums by group, kept up to date',
}
const LIVE_GOALS = { filter: 250, sort: 1500, top: 20, groups: 20 }

const match = { testKey: (key) => key.startsWith('GET /todos/') }

// `s` is a store, `n` the size. Without `before`, runs are timed in batches; with it, each run is timed alone.
// `base` is timed beside `run` and taken off. `brief` runs are too short for that beside their `before`: see child.mjs. `show` is what a user sees after the first runs: all subjects must agree.
// Goals: `times` the limit (or what `against` names), `most` in microseconds or bytes, `growth` as an exponent.
export const ROWS = [
  {
    ...{ name: 'set-one', title: 'write one record', sizes: [1000, 10_000, 100_000], every: true },
    goal: { times: 6, growth: 0.1 },
    needs: ['list', 'read', 'set', 'readOne'],
    setup: ({ s, n }) => (s.list(todos(n)), s.read()),
    run: ({ s, n }, i) => s.set({ id: spread(i, n), title: `set ${i}` }),
    show: ({ s, n }) => [0, 1, 2, 3].map((i) => plain(s.readOne(spread(i, n)))),
  },
  {
    ...{ name: 'get-state', title: 'the same, a manager reads the state at every action', sizes: [10_000] },
    options: { watched: true },
    goal: { most: 1000 },
    needs: ['list', 'read', 'set', 'readOne', 'watched'],
    setup: ({ s, n }) => (s.list(todos(n)), s.read()),
    run: ({ s, n }, i) => s.set({ id: spread(i, n), title: `set ${i}` }),
    show: ({ s, n }) => [0, 1, 2, 3].map((i) => plain(s.readOne(spread(i, n)))),
  },
  {
    ...{ name: 'answer-one', title: 'write one response, as many endpoints cached', sizes: SIZES },
    goal: { times: 12, growth: 0.1 },
    needs: ['one', 'readOne'],
    setup: ({ s, n }) => fill(s, todos(n)),
    run: ({ s, n }, i) => s.one({ ...todo(spread(i, n)), title: `answer ${i}` }),
    base: ({ n }, i) => ({ ...todo(spread(i, n)), title: `answer ${i}` }),
    show: ({ s, n }) => [0, 1, 2, 3].map((i) => plain(s.readOne(spread(i, n)))),
  },
  {
    ...{ name: 'read-warm', title: 'read a list again', sizes: [1000, 10_000, 100_000] },
    goal: { most: 1, growth: 0.1 },
    needs: ['list', 'read'],
    setup: ({ s, n }) => (s.list(todos(n)), s.read()),
    run: ({ s }) => s.read(),
    show: ({ s }) => s.read().map(plain),
  },
  {
    ...{ name: 'read-after-unrelated', title: 'read it after an unrelated change', sizes: SIZES },
    goal: { most: 1, growth: 0.1 },
    needs: ['list', 'read', 'one'],
    setup: ({ s, n }) => (s.list(todos(n)), s.one(todo(n + 1)), s.read()),
    brief: true,
    before: ({ s, n }, i) => s.one({ ...todo(n + 1), title: `other ${i}` }),
    run: ({ s }) => s.read(),
    show: ({ s }) => s.read().map(plain),
  },
  {
    ...{ name: 'read-after-one-changed', title: 'write one of its records, read it', sizes: SIZES },
    goal: { times: 5, growth: 1, peer: ['data-client', 0.01] },
    needs: ['list', 'read', 'set'],
    setup: ({ s, n }) => (s.list(todos(n)), s.read()),
    run: ({ s, n }, i) => (s.set({ id: spread(i, n), title: `set ${i}` }), s.read()),
    show: ({ s }) => s.read().map(plain),
  },
  {
    ...{ name: 'first-read', title: 'first read of a list', sizes: SIZES },
    goal: { times: 6, growth: 1.1 },
    needs: ['list', 'read'],
    before: (job) => (renew(job), job.s.list(todos(job.n))),
    run: ({ s }) => s.read(),
    show: ({ s }) => s.read().map(plain),
  },
  {
    ...{ name: 'change-shared', title: 'write the author of all rows, read the list', sizes: SIZES },
    goal: { times: 10, growth: 1.1 },
    needs: ['list', 'read', 'setUser'],
    setup: ({ s, n }) => (s.list(todos(n, 1)), s.read()),
    run: ({ s }, i) => (s.setUser({ id: 1, name: `name ${i}` }), s.read()),
    show: ({ s }) => s.read().map(plain),
  },
  {
    ...{ name: 'normalise', title: 'take a list in', sizes: SIZES },
    goal: { times: 0.75, against: 'JSON.parse', growth: 1.1 },
    needs: ['list', 'read'],
    before: (job) => (renew(job), (job.value = job.s.raw ? text(job.n) : JSON.parse(text(job.n)))),
    run: ({ s, value }) => s.list(value),
    show: ({ s }) => s.read().map(plain),
  },
  {
    ...{ name: 'same-answer', title: 'the same response again, read the list', sizes: SIZES },
    goal: { times: 2, growth: 1.1, note: 0 },
    needs: ['list', 'read'],
    setup: (job) => (job.s.list(todos(job.n)), (job.was = job.s.read())),
    before: (job) => (job.value = JSON.parse(text(job.n))),
    run: ({ s, value }) => (s.list(value), s.read()),
    show: ({ s }) => s.read().map(plain),
    note: ({ s, was }) => s.read().filter((value, i) => value !== was[i]).length,
    unit: 'changed references',
  },
  ...[false, true].map((custom) => ({
    ...{ name: custom ? 'push-read-custom' : 'push-read', sizes: SIZES, options: { custom } },
    title: `push onto a list, read it${custom ? ', own filter' : ''}`,
    goal: custom ? {} : { times: 2, growth: 1 },
    needs: custom ? ['push', 'custom'] : ['push'],
    setup: ({ s, n }) => (s.list(todos(n)), s.read()),
    run: ({ s, n }, i) => (s.push(todo(n + i)), s.read()),
    show: ({ s }) => s.read().map(plain),
  })),
  {
    ...{ name: 'push-read-paged', title: 'push onto a list that can have pages, read it', sizes: SIZES },
    options: { paged: true },
    goal: { most: 600, growth: 1 },
    needs: ['push', 'paged'],
    setup: ({ s, n }) => (s.list(todos(n)), s.read()),
    run: ({ s, n }, i) => (s.push(todo(n + i)), s.read()),
    show: ({ s }) => s.read().map(plain),
  },
  ...[false, true].map((custom) => ({
    ...{ name: custom ? 'move-custom' : 'move', sizes: [100, 1000, 10_000], options: { custom }, every: true },
    title: `move between two of so many lists, read both${custom ? ', own filter' : ''}`,
    goal: custom ? {} : { times: 15, growth: 0.15 },
    needs: custom ? ['move', 'custom'] : ['move'],
    setup: ({ s, n }) => each(n, (group) => (s.list(members(group), group), s.read(group))),
    run: ({ s, n }, i) => {
      const { id, from, to } = journey(i, n)
      s.move({ id, group: to })
      s.read(from)
      s.read(to)
    },
    show: ({ s, n }) => [journey(0, n).from, journey(2, n).to].map((group) => s.read(group).map(plain)),
  })),
  ...[false, true].map((lost) => ({
    ...{ name: lost ? 'optimistic-lost' : 'optimistic-rollback', sizes: SIZES, options: { lost } },
    title: `optimistic update and rollback${lost ? ', failure without a status' : ''}`,
    goal: lost ? { most: 25, growth: 0.1 } : { times: 50, growth: 0.1 },
    needs: ['list', 'read', 'optimistic', 'readOne'],
    setup: ({ s, n }) => (s.list(todos(n)), s.read()),
    run: ({ s, n }, i) => s.optimistic({ id: spread(i, n), title: `pending ${i}` })(),
    show: ({ s }) => {
      const undo = s.optimistic({ id: 5, title: 'pending' })
      const pending = plain(s.readOne(5))
      undo()
      return [pending, plain(s.readOne(5))]
    },
  })),
  {
    ...{ name: 'write-pending', title: 'one write, so many operations pending', sizes: [1, 10, 100], every: true },
    goal: { times: 30, growth: 0.2 },
    needs: ['list', 'read', 'optimistic', 'set', 'readOne'],
    setup: ({ s, n }) => {
      s.list(todos(10_000))
      s.read()
      each(n, (id) => s.optimistic({ id, title: 'pending' }))
    },
    run: ({ s }, i) => s.set({ id: 1000 + spread(i, 9000), title: `set ${i}` }),
    show: ({ s }) => [0, 1000 + spread(2, 9000)].map((id) => plain(s.readOne(id))),
  },
  {
    ...{ name: 'settle-creates', title: `${CREATES} pending creates on a list: resolve all, read it` },
    ...{ sizes: [1000, 10_000, 50_000], every: true },
    goal: { most: 300_000, growth: 1 },
    needs: ['list', 'read', 'create'],
    before: (job) => {
      renew(job)
      job.s.list(todos(job.n))
      job.s.read()
      job.settle = Array.from({ length: CREATES }, (_, i) => job.s.create(todo(job.n + i)))
      job.s.read()
    },
    run: ({ s, settle }) => (settle.forEach((answer) => answer()), s.read()),
    show: ({ s }) => s.read().map(plain),
  },
  ...['sort', 'filter', 'sum'].map((kind) => ({
    ...{ name: `query-all-${kind}`, title: `${kind} over all records after one change`, sizes: SIZES },
    goal: { times: 1.3, against: 'process' },
    needs: ['list', 'query', 'set'],
    setup: ({ s, n }) => (s.list(todos(n)), s.query(kind)),
    // Ids come again every 1,000 runs; 997 sees to it that each write is a change.
    run: ({ s, n }, i) => (s.set({ id: spread(i, n), priority: i % 997 }), s.query(kind)),
    show: ({ s }) => (kind === 'sum' ? s.query(kind) : s.query(kind).map(plain)),
  })),
  ...['filter', 'sort', 'top', 'groups'].map((kind) => ({
    ...{ name: `live-${kind}`, title: LIVE_TITLES[kind], sizes: [10_000, 100_000], every: true },
    goal: { most: LIVE_GOALS[kind], ...((kind === 'top' || kind === 'groups') && { growth: 0.1 }) },
    needs: ['list', 'live', 'set'],
    setup: ({ s, n }) => (s.list(todos(n)), s.live(kind)),
    run: ({ s, n }, i) => (s.set({ id: spread(i, n), priority: i % 997 }), s.live(kind)),
    show: ({ s }) =>
      kind === 'groups' ? s.live(kind).map(({ key, sum }) => ({ key, sum })) : s.live(kind).slice(0, 100).map(plain),
  })),
  {
    ...{
      name: 'live-first',
      title: 'first result of sort and take, all records read before',
      sizes: [10_000, 100_000],
      every: true,
    },
    goal: { times: 1, against: 'process' },
    needs: ['list', 'live', 'query'],
    before: (job) => (renew(job), job.s.list(todos(job.n)), job.s.query('sum')),
    run: ({ s }) => s.live('top'),
    show: ({ s }) => s.live('top').map(plain),
  },
  {
    ...{ name: 'live-twenty', title: '20 queries over 40k records, first results', sizes: [40_000] },
    goal: { most: 500_000 },
    needs: ['list', 'live', 'query'],
    before: (job) => (renew(job), job.s.list(todos(job.n)), job.s.query('sum')),
    run: ({ s }) => Array.from({ length: 20 }, (_, i) => s.live('some', i).length),
    show: ({ s }) => s.live('some', 5).slice(0, 100).map(plain),
  },
  ...['invalidateAll', 'expireAll'].map((method) => ({
    ...{ name: method.replace('All', '-all'), title: `${method} over as many endpoints`, sizes: SIZES },
    goal: { times: method === 'expireAll' ? 2 : 3, growth: 1 },
    needs: ['one', method, 'status'],
    setup: (job) => (job.rows = todos(job.n)),
    before: ({ s, rows }) => fill(s, rows),
    run: ({ s }) => s[method](match),
    show: ({ s }) => [s.status(0), s.status(5)],
  })),
  {
    ...{ name: 'collect', title: 'forget all records, and the list of them', sizes: SIZES },
    options: { collects: true },
    goal: { times: 4, growth: 1, note: 5 },
    needs: ['list', 'collect'],
    // Another store stays: with the last object of a shape its optimised code would go too.
    setup: (job) => ((job.longest = []), (job.other = job.make()).list(todos(job.n))),
    before: (job) => (renew(job), job.s.list(todos(job.n)), job.s.age()),
    run: (job) => job.longest.push(job.s.collect()),
    show: ({ s }) => s.left(),
    note: ({ longest }) => longest.sort((a, b) => a - b)[longest.length >> 1],
    unit: 'ms in one slice',
  },
  ...['url', 'key'].map((method) => ({
    ...{ name: method, title: `${method}() of an endpoint`, sizes: [1] },
    goal: { times: 2.5 },
    needs: [method],
    setup: (job) => (job.sum = 0),
    run: (job, i) => (job.sum += job.s[method]({ user: `u ${i & 1023}`, id: i }).length),
    show: ({ s }) => [s[method]({ user: 'a b', id: 5 }), s[method]({ user: 'ä/', id: 0 })],
  })),
  ...['stored', 'read'].map((when) => ({
    ...{
      name: `memory-${when}`,
      title: `bytes per row, ${when === 'read' ? 'after a first read' : when}`,
      sizes: [10_000],
    },
    goal: { most: when === 'read' ? 1200 : 850 },
    needs: ['list', 'read'],
    bytes: ({ s, n }) => (s.list(JSON.parse(text(n))), when === 'read' ? s.read() : undefined),
    show: ({ s }) => s.read().map(plain),
  })),
]

/** The results of live queries, computed from all records. */
export const LIVE = {
  filter: (all) => all.filter((each) => each.priority % 3 === 0),
  sort: byPriority,
  top: (all) => byPriority(all).slice(0, 50),
  groups: (all) => {
    const sums = new Map()
    for (const { comments, priority } of all) {
      sums.set(comments, (sums.get(comments) ?? 0) + priority)
    }
    return [...sums].sort(([a], [b]) => a - b).map(([key, sum]) => ({ key, sum }))
  },
  some: (all, i) => all.filter((each) => each.priority % 20 === i),
}

function byPriority(all) {
  return [...all].sort((a, b) => a.priority - b.priority || (String(a.id) < String(b.id) ? -1 : 1))
}

/** The functions of queries over all records, the same for every subject. */
export const PROCESS = {
  sort: (all) => [...all].sort((a, b) => a.priority - b.priority || a.id - b.id),
  filter: (all) => all.filter((each) => each.done),
  sum: (all) => all.reduce((sum, each) => sum + each.priority, 0),
}

function todos(n, author) {
  return Array.from({ length: n }, (_, i) => todo(i, author))
}

/** One endpoint for each; `fill` is for those that need minutes to do it one by one. */
function fill(s, rows) {
  if (s.fill) {
    s.fill(rows)
  } else {
    for (const value of rows) {
      s.one(value)
    }
  }
}

/** A store of its own for the next run. */
function renew(job) {
  job.s.stop?.()
  job.s = job.make()
}

const texts = new Map()
function text(n) {
  if (!texts.has(n)) {
    texts.set(n, JSON.stringify(todos(n)))
  }
  return texts.get(n)
}

function members(group) {
  return Array.from({ length: PER_LIST }, (_, i) => ({ ...todo(group * PER_LIST + i), group }))
}

/** The first member of each list goes one list on; when all have, they go on once more. */
function journey(i, n) {
  const round = Math.floor(i / n)
  const start = i % n
  return { id: start * PER_LIST, from: (start + round) % n, to: (start + round + 1) % n }
}

/** A thousand records all over the store: the same number whatever its size, so that only its size makes a difference. */
function spread(i, n) {
  return (((i * 619) % 1000) * Math.max(1, Math.floor(n / 1000))) % n
}

function each(n, run) {
  for (let i = 0; i < n; i++) {
    run(i)
  }
}

/** A record without what only one library adds. */
function plain(value) {
  if (value === undefined || value === null) {
    return null
  }
  const { id, title, body, done, priority, createdAt, tags, author } = value
  return [id, title, body, done, priority, createdAt, tags, author && [author.id, author.name, author.email]]
}
