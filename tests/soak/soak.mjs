// Uses a page of Chromium for real minutes, and sees that heap, nodes and listeners stay flat: npm run soak -- --minutes 10
// `--leak` makes the page keep what it unmounts, to see that this is found.
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { chromium } from 'playwright'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, leak: { type: 'boolean', default: false } },
})
/** How much more the second half may have than the first, after a quarter to warm up. */
const LIMITS = { heap: 2, nodes: 200, listeners: 50, rows: 300 }
const SAMPLES = 40

const executablePath = await findChromium()
if (!executablePath) {
  console.error('there is no Chromium: set CHROMIUM_PATH')
  process.exit(1)
}
const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS })
const page = await browser.newPage()
const complaints = new Set()
page.on('pageerror', (error) => complaints.add(String(error)))
await page.route('**/*', (route) =>
  route.fulfill({ contentType: 'text/html', body: '<!doctype html><body><div id="root"></div>' }),
)
await page.goto(`http://localhost/${options.leak ? '?leak' : ''}`)
await page.addScriptTag({ content: await bundle(), type: 'module' })
const session = await page.context().newCDPSession(page)
await session.send('Performance.enable')
await session.send('HeapProfiler.enable')

const samples = []
const pause = (Number(options.minutes) * 60_000) / SAMPLES
for (let i = 0; i < SAMPLES; i++) {
  await page.waitForTimeout(pause)
  samples.push(await measure())
  if (i % 4 === 3) {
    const { heap, nodes, listeners, rows } = samples.at(-1)
    console.log(
      `${((i + 1) * pause) / 1000} s: ${heap.toFixed(2)} MB, ${nodes} nodes, ${listeners} listeners, ${rows} rows`,
    )
  }
}
const { requests, failures, actions, unhandled } = await page.evaluate(() => globalThis.soak.counts)
await browser.close()

console.log(`${actions} actions, ${requests} requests, ${failures} of them failed, ${unhandled} unhandled rejections`)
const steady = samples.slice(SAMPLES / 4)
const halves = [steady.slice(0, steady.length / 2), steady.slice(steady.length / 2)]
let isFlat = unhandled === 0 && complaints.size === 0 && actions > 0
for (const [name, limit] of Object.entries(LIMITS)) {
  const [before, after] = halves.map((half) => median(half.map((sample) => sample[name])))
  const isOver = after - before > limit
  isFlat &&= !isOver
  console.log(
    `${name.padEnd(10)}${before.toFixed(2)} -> ${after.toFixed(2)}, at most ${limit} more${isOver ? ': it grows' : ''}`,
  )
}
for (const complaint of complaints) {
  console.log(complaint)
}
process.exitCode = isFlat ? 0 : 1

async function measure() {
  for (let i = 0; i < 3; i++) {
    await session.send('HeapProfiler.collectGarbage')
  }
  const { metrics } = await session.send('Performance.getMetrics')
  const read = (name) => metrics.find((metric) => metric.name === name).value
  const rows = await page.evaluate(() => globalThis.soak.size())
  return { rows, heap: read('JSHeapUsedSize') / 2 ** 20, nodes: read('Nodes'), listeners: read('JSEventListeners') }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/app.ts`],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['restitch-source', 'browser'],
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    write: false,
  })
  return outputFiles[0].text
}
