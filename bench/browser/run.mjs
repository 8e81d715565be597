// Prints what the hooks cost in a page of Chromium beside a subscription written by hand, and beside other libraries.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { build, defaultClientConditions } from 'vite'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { digits, median, NOISE, table, times } from '../format.mjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url))
const OWN = ['restitch', 'restitch-query', 'limit', 'limit-context']
const WARM = 4
/** Milliseconds of a round after which three of them are enough, after which one is, and after which it is aborted. */
const [LONG, LONGER, LONGEST] = [2000, 10_000, 90_000]

/** Runs the rows, and returns the differences between the pages; they fail no goal. */
export async function runBrowser(rows, { rounds, profile, subject: asked = profile && [profile] }) {
  const executablePath = await findChromium()
  if (!executablePath) {
    return ['there is no Chromium: set CHROMIUM_PATH']
  }
  const known = readdirSync(join(HERE, 'subjects')).map((file) => file.replace(/\.mjs$/, ''))
  const names = [...OWN, ...known.filter((name) => !OWN.includes(name))].filter((name) => asked?.includes(name) ?? true)
  const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS })
  const faults = []
  const lines = []
  const subjects = []
  for (const name of names) {
    subjects.push(await openPage(browser, name, profile))
  }
  for (const row of rows) {
    const running = []
    for (const subject of subjects) {
      try {
        running.push(await prepare(subject, row))
        if (profile) {
          await startProfile(running.at(-1))
        }
      } catch (error) {
        const note = `${row.name}: ${subject.name} failed: ${error.message.split('\n')[0]}`
        // A job that others cannot finish in time is not our failure.
        if (OWN.includes(subject.name)) {
          faults.push(note)
        } else {
          console.error(note)
        }
        // The page may stay busy forever.
        void subject.page.close().catch(() => {})
        subjects.splice(subjects.indexOf(subject), 1, await openPage(browser, subject.name, profile))
      }
    }
    for (let round = 0; round < (row.bytes ? 1 : rounds); round++) {
      for (const subject of running) {
        if (round < (subject.warm > LONGER ? 1 : subject.warm > LONG ? 3 : rounds)) {
          await measure(subject, row)
        }
      }
    }
    if (profile) {
      printProfile(row, running[0])
    }
    compare(row, running, faults)
    for (const { page } of running) {
      await page.evaluate(() => globalThis.bench.close())
    }
    const costs = running.map(({ name, costs }) => `${name} ${format(row, median(costs))}`)
    console.error(`${row.name}: ${costs.join(', ')}; ${Math.round(performance.now() / 1000)} s`)
    lines.push({ row, results: new Map(running.map((one) => [one.name, one])) })
  }
  print(lines, names, rounds, browser.version())
  await browser.close()
  return faults
}

async function openPage(browser, name, profile) {
  const context = await browser.newContext()
  const page = await context.newPage()
  // A secure address, and no network.
  const empty = { contentType: 'text/html', body: '<!doctype html><body>' }
  await page.route('**/*', (route) => route.fulfill(empty))
  await page.goto('http://localhost/')
  await page.addScriptTag({ content: await bundle(name, !profile) })
  const session = await context.newCDPSession(page)
  // The time of the thread, not of the clock on the wall.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('HeapProfiler.enable')
  return { name, page, session }
}

async function bundle(name, minify) {
  const from = (file) => fileURLToPath(new URL(`../../src/${file}`, import.meta.url))
  const { output } = await build({
    configFile: false,
    root: HERE,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      conditions: ['restitch-source', ...defaultClientConditions],
      alias: [
        { find: 'subject', replacement: join(HERE, 'subjects', `${name}.mjs`) },
        { find: 'restitch/react', replacement: from('react/index.ts') },
        { find: 'restitch', replacement: from('index.ts') },
        // One React for all.
        { find: /^(react|react-dom)(?=\/|$)/, replacement: join(MODULES, '$1') },
      ],
    },
    build: {
      write: false,
      minify,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(HERE, 'page.mjs'),
        output: { format: 'iife' },
        onLog: (level, log, report) => log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log),
      },
    },
  })
  return output[0].code
}

/** A store, and a page that shows it. Code is warm when the rounds begin. */
async function prepare({ name, page, session }, row) {
  const subject = { name, page, session, costs: [], warm: 0 }
  await within(page.evaluate((row) => globalThis.bench.open(row), row))
  for (let i = 0; !row.bytes && i < WARM && subject.warm < LONG; i++) {
    const start = performance.now()
    await measure(subject, row)
    // After as many runs of each.
    subject.shown ??= await page.evaluate(() => globalThis.bench.show())
    subject.warm = performance.now() - start
  }
  subject.costs = []
  return subject
}

function within(promise) {
  let timer
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not done after ${LONGEST / 1000} s`)), LONGEST)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

async function measure(subject, row) {
  const { page, session } = subject
  if (row.bytes) {
    subject.costs.push(await measureHeap(subject, row))
    return
  }
  await within(page.evaluate(() => globalThis.bench.before()))
  if (subject.profiles) {
    await session.send('Profiler.start')
  }
  const before = await taskTime(session)
  await within(page.evaluate(() => globalThis.bench.run()))
  const after = await taskTime(session)
  if (subject.profiles) {
    subject.profiles.push((await session.send('Profiler.stop')).profile)
  }
  subject.costs.push((after - before) / row.runs)
  subject.renders = await page.evaluate(() => globalThis.bench.renders())
}

/** Milliseconds of CPU time that the main thread of a page has worked. */
async function taskTime(session) {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
}

async function measureHeap({ page, session }, row) {
  const used = async () => {
    for (let i = 0; i < 3; i++) {
      await session.send('HeapProfiler.collectGarbage')
    }
    return (await session.send('Runtime.getHeapUsage')).usedSize
  }
  const cycle = (times) => page.evaluate((times) => globalThis.bench.cycle(times), times)
  await cycle(row.work === 'heap' ? 3 : 1)
  const before = await used()
  if (row.work === 'heap') {
    await cycle(20)
    return Math.max(0, (await used()) - before)
  }
  await page.evaluate(() => globalThis.bench.mount())
  return ((await used()) - before) / row.size
}

function compare(row, running, faults) {
  const [model] = running
  for (const { name, shown, renders } of running) {
    if (shown !== model.shown) {
      const at = Math.max(0, [...model.shown].findIndex((letter, i) => letter !== shown[i]) - 40)
      const [found, expected] = [shown, model.shown].map((all) => all.slice(at, at + 80))
      faults.push(`${row.name}: ${name} shows\n  ${found}\nand ${model.name}\n  ${expected}`)
    }
    if (OWN.includes(name) && row.renders !== undefined && renders !== row.renders) {
      faults.push(`${row.name}: ${name} renders ${renders} times, not ${row.renders}`)
    }
  }
}

function print(lines, names, rounds, version) {
  const [ours, asQuery, limit, inContext] = OWN
  const peers = names.filter((name) => !OWN.includes(name))
  const show = ({ row, results }, name) => {
    const result = results.get(name)
    if (!result) {
      return '-'
    }
    const cost = median(result.costs)
    const least = results.get(limit)
    const ratio = least && name !== limit && row.work !== 'heap' ? `, ${times(cost / median(least.costs))}` : ''
    const renders =
      row.renders !== undefined && result.renders !== row.renders ? `, ${digits(result.renders)} renders` : ''
    return `${format(row, cost)}${ratio}${renders}`
  }
  console.log(
    `\nCPU time of the page's main thread for one run, median of ${rounds} rounds; Chromium ${version}, React production\n`,
  )
  table([
    ['row', 'work', 'renders', 'limit', 'with a context', 'useSuspense', 'useQuery', 'goal', ''],
    ...lines.map((line) => {
      const { row, results } = line
      const costs = OWN.map((name) => results.has(name) && median(results.get(name).costs))
      const missed = row.goal && costs.slice(0, 2).some((cost) => cost > costs[2] * row.goal * NOISE)
      return [
        row.name,
        row.title,
        row.renders ?? '-',
        ...[limit, inContext, ours, asQuery].map((name) => show(line, name)),
        row.goal ? `${row.goal}x` : '-',
        missed ? 'missed' : '',
      ]
    }),
  ])
  console.log('\nThe others: cost, times the limit, renders where they are more or fewer\n')
  table([['row', ...peers], ...lines.map((line) => [line.row.name, ...peers.map((name) => show(line, name))])])
}

function format({ bytes }, cost) {
  if (!bytes) {
    return `${digits(cost)} ms`
  }
  return cost >= 10_000 ? `${digits(cost / 1000)} kB` : `${Math.round(cost)} B`
}

async function startProfile(subject) {
  await subject.session.send('Profiler.enable')
  await subject.session.send('Profiler.setSamplingInterval', { interval: 200 })
  subject.profiles = []
}

/** Where the time goes: by function, its own time and with what it calls. */
function printProfile(row, { name, profiles }) {
  const sums = new Map()
  for (const { nodes, samples, timeDeltas } of profiles) {
    const byId = new Map(nodes.map((node) => [node.id, { ...node, self: 0 }]))
    samples.forEach((id, i) => (byId.get(id).self += timeDeltas[i] / 1000 / profiles.length / row.runs))
    const walk = (node, above) => {
      const { functionName, lineNumber } = node.callFrame
      const label = `${functionName || 'anonymous'}:${lineNumber + 1}`
      const isInside = above.has(label)
      const sum = sums.get(label) ?? { self: 0, all: 0 }
      sums.set(label, sum)
      let all = node.self
      const inside = isInside ? above : new Set([...above, label])
      for (const id of node.children ?? []) {
        all += walk(byId.get(id), inside)
      }
      sum.self += node.self
      if (!isInside) {
        sum.all += all
      }
      return all
    }
    walk(byId.get(nodes[0].id), new Set())
  }
  const top = [...sums].filter(([label]) => !/^\((idle|root|program)\)/.test(label))
  console.log(`\n${row.name}, ${name}: milliseconds of one run, its own and with what it calls`)
  for (const [label, { self, all }] of top.sort((a, b) => b[1].self - a[1].self).slice(0, 40)) {
    console.log(`${self.toFixed(1).padStart(9)} ${all.toFixed(1).padStart(9)}  ${label}`)
  }
}
