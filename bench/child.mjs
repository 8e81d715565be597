// One subject doing one job at one size, in a process of its own. The runner requests rounds.
import { createHash } from 'node:crypto'
import { ROWS } from './rows.mjs'

const ROUND = 30_000 // microseconds of CPU time that a round should take
const CELL = new Int32Array(new SharedArrayBuffer(4))
const [file, name, size] = process.argv.slice(2)
const row = ROWS.find((row) => row.name === name)
const { create, rows = [name] } = await import(file)
let kept
const make = () => create(row.options ?? {})

process.on('disconnect', () => process.exit())
const offers = make()
if (!rows.includes(name) || row.needs.some((need) => offers[need] === undefined)) process.send({ missing: true })
else if (row.bytes) startBytes()
else start()

function start() {
  const job = newJob()
  let i = 0
  time(row.before ? 1 : 3)
  const { shown, full } = answer(job)
  const batch = warm()
  process.on('message', (message) => {
    if (message === 'show') return process.send(full)
    const start = performance.now()
    const cost = time(batch).cost / batch
    process.send({ cost, wall: performance.now() - start, note: row.note?.(job) })
  })
  process.send({ shown })

  // Goes on until the engine has had time to optimise; gives how many runs make a round.
  function warm() {
    let spent = 0
    if (row.brief) return warmBrief()
    if (row.before) {
      let runs = 0
      while (spent < 10 * ROUND && runs++ < 20) spent += time(1).all
      return Math.max(1, Math.min(5, Math.ceil((runs * ROUND) / spent)))
    }
    for (let count = 1; ; count *= 2) {
      const { all } = time(count)
      spent += all
      // Large code takes thousands of runs.
      if (spent > (count < 4096 ? 60 : 10) * ROUND) return Math.max(1, Math.ceil((count * ROUND) / all))
    }
  }

  // In microseconds: `all` that was timed, and the `cost` of the job.
  function time(count) {
    if (row.brief) return timeBrief(count)
    if (!row.before) collect()
    const all = loop(row.run, count)
    return { all, cost: row.base ? Math.max(0, all - loop(row.base, count)) : all }
  }

  // Each by the wall clock, and their median: the CPU clock is too coarse for one, and a difference of sums is all noise.
  function timeBrief(count) {
    const samples = []
    for (const end = i + count; i < end; i++) {
      row.before(job, i)
      const start = performance.now()
      row.run(job, i)
      samples.push((performance.now() - start) * 1000)
    }
    return { cost: samples.sort((a, b) => a - b)[count >> 1] * count }
  }

  function warmBrief() {
    for (let count = 1; ; count *= 2) {
      const start = performance.now()
      timeBrief(count)
      if (performance.now() - start > 300) return Math.max(1, Math.ceil(count / 5))
    }
  }

  function loop(run, count) {
    const end = i + count
    if (row.before) return loopApart(run, end)
    const start = process.cpuUsage()
    for (; i < end; i++) run(job, i)
    return used(start)
  }

  function loopApart(run, end) {
    let sum = 0
    for (; i < end; i++) {
      row.before(job, i)
      collect()
      const start = process.cpuUsage()
      const result = run(job, i)
      sum += used(start)
      // Kept until the next one is there: with the last object of a shape its optimised code goes too.
      kept = [job.s, result]
    }
    return sum
  }
}

// Collects the garbage of the preparation. Only young objects: a whole collection would discard optimised code.
// It continues in other threads, whose time would be counted, so wait until they are idle.
function collect() {
  globalThis.gc({ type: 'minor' })
  globalThis.gc({ type: 'minor' })
  for (let tries = 0; tries < 50; tries++) {
    const start = process.cpuUsage()
    Atomics.wait(CELL, 0, 0, 2)
    if (used(start) < 100) return
  }
}

function newJob() {
  const job = { make, n: Number(size), s: make() }
  row.setup?.(job)
  return job
}

function answer(job) {
  if (row.bytes) row.bytes(job)
  const full = JSON.stringify(row.show(job))
  return { full, shown: createHash('sha256').update(full).digest('hex') }
}

function startBytes() {
  const cost = measureBytes()
  const { full, shown } = answer(newJob())
  process.on('message', (message) => process.send(message === 'show' ? full : { cost }))
  process.send({ shown })
}

// The first stores pay for code and hidden classes. The mean of the others counts: some libraries keep the last response.
function measureBytes() {
  kept = []
  const fill = (count) => {
    for (; count > 0; count--) {
      const job = newJob()
      kept.push(job, row.bytes(job))
    }
  }
  fill(2)
  const start = heap()
  fill(4)
  return (heap() - start) / 4 / Number(size)
}

function heap() {
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

function used(start) {
  const { user, system } = process.cpuUsage(start)
  return user + system
}
