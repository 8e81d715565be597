// A day of polling, in a separate process so that its heap can be measured. `RESTITCH_HOURS=24` makes it a whole one;
// without that it lasts one hour, so that it takes seconds.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from './bundle.ts'

const RECORDS = 50
const HOURS = Number(process.env['RESTITCH_HOURS'] ?? 1)
const DAY = `
  import { TestClock } from '../src/testing/TestClock.ts'
  import { Collection, createStore, Endpoint, Entity, Invalidate } from 'restitch'

  class Todo extends Entity {
    id = ''
    title = ''
    votes = 0
    static key = 'Todo'
  }
  const list = new Collection([Todo])
  let next = ${RECORDS}
  let server = Array.from({ length: next }, (_, i) => ({ id: String(i), title: 'todo ' + i, votes: 0 }))
  const getList = new Endpoint(async () => server, { name: 'list', schema: list, pollFrequency: 1_000 })
  const getOne = new Endpoint(async ({ id }) => server.find((todo) => todo.id === id), { name: 'one', schema: Todo })
  const create = new Endpoint(async () => {
    const todo = { id: String(next++), title: 'new', votes: 0 }
    server = [...server, todo]
    return todo
  }, { name: 'create', schema: list.push, sideEffect: true, getOptimisticResponse: () => ({ title: 'new' }) })
  const remove = new Endpoint(async ({ id }) => {
    server = server.filter((todo) => todo.id !== id)
    return { id }
  }, { name: 'remove', schema: new Invalidate(Todo), sideEffect: true, getOptimisticResponse: (_, { id }) => ({ id }) })

  const clock = new TestClock()
  const store = createStore({ clock })
  const { controller } = store
  const { tables } = controller.core.store
  let told = 0
  const view = store.view(getList)
  view.subscribe(() => (view.read(), told++))
  await controller.subscribe(getList)

  const samples = []
  const seen = new WeakSet()
  let freed = 0
  const all = new FinalizationRegistry(() => freed++)
  for (let second = 0; second < ${HOURS * 3_600}; second++) {
    await clock.pass(1_000)
    for (const row of tables.tables.get('Todo').byPk.values())
      if (/^\\d+$/.test(row.pk) && !seen.has(row)) seen.add(row), all.register(row, undefined)
    if (second % 60 === 0) await new Promise((done) => setImmediate(done))
    if (second % 5 === 0) server = server.map((todo, i) => (i === second % server.length ? { ...todo, votes: second } : todo))
    if (second % 10 === 3) await Promise.all([controller.fetch(create), controller.fetch(getOne, { id: server[7].id })])
    if (second % 10 === 7) {
      const { id } = server[second % server.length]
      const gone = controller.fetch(remove, { id })
      await gone
    }
    if (second % 900 !== 899) continue
    // In the midst of a task, as the engine does it: what was looked at in it through a WeakRef lives on.
    globalThis.gc()
    const every = [...tables.tables.values(), tables.endpoints]
    const rows = every.flatMap((table) => [...table.byPk.values()])
    samples.push({
      heap: process.memoryUsage().heapUsed,
      rows: rows.length,
      tombstones: rows.filter(({ value }) => typeof value === 'symbol').length,
      tail: Math.max(0, ...rows.map(({ list }) => list?.tail.length ?? 0)),
    })
  }
  const shown = view.read().data
  console.log(JSON.stringify({
    samples, told, created: next, freed, timers: clock.pending,
    isRight: shown.length === server.length && shown.every(({ id, votes }, i) => id === server[i].id && votes === server[i].votes),
  }))
`

test(`GC-10 POL-5 hours of polling at 1 s with creates and deletes leave nothing behind`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'restitch-day-'))
  try {
    const file = join(folder, 'day.mjs')
    writeFileSync(file, await bundle(DAY))
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', file], { encoding: 'utf8' })
    expect(stderr).toBe('')
    const { samples, told, created, freed, timers, isRight } = JSON.parse(stdout)
    expect(created).toBe(RECORDS + HOURS * 360)
    expect(told, 'it was seen').toBeGreaterThan(HOURS * 900)
    expect(isRight).toBe(true)
    expect(timers, 'the next poll and the next sweep').toBe(2)
    const most = (name: string): number => Math.max(...samples.map((sample: any) => sample[name]))
    // The first half hour warms the engine up.
    const heaps: number[] = samples.slice(1).map(({ heap }: any) => heap / 2 ** 20)
    expect(Math.max(...heaps) - heaps[0]!, `megabytes: ${heaps.map((heap) => heap.toFixed(1)).join(' ')}`).toBeLessThan(
      5,
    )
    // Records that were deleted are really gone: the heap of a few hours is too small to show it.
    expect(created - freed).toBeLessThan(250)
    // One delete every ten seconds, two minutes of grace, five minutes between sweeps.
    expect(most('tombstones')).toBeLessThan(60)
    expect(most('rows')).toBeLessThan(400)
    expect(most('tail')).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 300_000)
