// `npm run film` records the tour of the demo for the README, light and dark: docs/images/tour-*.webp.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDemo } from './startDemo.mjs'

const SIZE = { width: 1240, height: 760 }
const WIDTH = 930
const FRAMES_PER_SECOND = 12
const LIMIT = 2_000_000
const FOLDER = 'docs/images'

try {
  execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' })
} catch {
  console.error('ffmpeg is missing. On Debian: apt-get install ffmpeg')
  process.exit(1)
}
mkdirSync(FOLDER, { recursive: true })
const demo = await startDemo()
try {
  for (const colorScheme of ['light', 'dark']) {
    await record(colorScheme)
  }
} finally {
  await demo.close()
}

async function record(colorScheme) {
  const context = await demo.browser.newContext({ viewport: SIZE, colorScheme, reducedMotion: 'no-preference' })
  const page = await context.newPage()
  await page.goto(demo.origin)
  await page.getByRole('button', { name: 'Move a card for me' }).waitFor()
  await page.locator('.card').nth(20).waitFor()
  await page.waitForLoadState('networkidle').catch(() => {})
  await page.evaluate(addPointer)
  const frames = await startFrames(page)
  await page.waitForTimeout(1_500)
  await press(page.getByRole('button', { name: 'Move a card for me' }))
  await page.getByText('What just happened').waitFor()
  await page.waitForTimeout(3_000)
  await press(page.getByRole('button', { name: 'Compare with a classic client' }))
  await page.getByText('The same move, twice').waitFor()
  await page.waitForTimeout(3_500)
  await frames.stop()
  await context.close()
  const file = join(FOLDER, `tour-${colorScheme}.webp`)
  writeFilm(frames.list, file)
  const { size } = statSync(file)
  console.log(`${file}: ${Math.round(size / 1000)} kB, ${frames.list.length} frames`)
  if (size > LIMIT) {
    throw new Error(`${file} has ${size} bytes; ${LIMIT} are allowed`)
  }
}

/** The browser sends a frame whenever the page has changed. */
async function startFrames(page) {
  const session = await page.context().newCDPSession(page)
  const list = []
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    list.push({ data: Buffer.from(data, 'base64'), at: metadata.timestamp })
    void session.send('Page.screencastFrameAck', { sessionId })
  })
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
  const stop = async () => {
    await session.send('Page.stopScreencast')
    list.push({ data: list.at(-1).data, at: Date.now() / 1000 })
  }
  return { list, stop }
}

function writeFilm(frames, file) {
  const folder = mkdtempSync(join(tmpdir(), 'film-'))
  const lines = frames.map(({ data, at }, index) => {
    writeFileSync(join(folder, `${index}.png`), data)
    const length = Math.max(0.001, (frames[index + 1]?.at ?? at) - at)
    return `file '${index}.png'\nduration ${length.toFixed(3)}`
  })
  writeFileSync(join(folder, 'frames.txt'), lines.join('\n'))
  const filter = `fps=${FRAMES_PER_SECOND},scale=${WIDTH}:-2:flags=lanczos`
  const input = ['-f', 'concat', '-safe', '0', '-i', join(folder, 'frames.txt')]
  const output = ['-c:v', 'libwebp_anim', '-quality', '78', '-compression_level', '6', '-loop', '0', file]
  execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...input, '-vf', filter, ...output], { stdio: 'inherit' })
  rmSync(folder, { recursive: true })
}

/** Moves the pointer to a button, and presses it. */
async function press(button) {
  const { x, y, width, height } = await button.boundingBox()
  await button.page().evaluate(([x, y]) => globalThis.movePointer(x, y), [x + width / 2, y + height / 2])
  await button.click()
}

/** A picture of a page has no pointer. */
function addPointer() {
  const pointer = document.createElement('div')
  pointer.innerHTML =
    '<svg width="26" height="26" viewBox="0 0 26 26"><path d="M4 2l16 10-7 1.6 4 7.6-3 1.5-4-7.7L5 20z" fill="#111" stroke="#fff" stroke-width="1.6"/></svg>'
  Object.assign(pointer.style, { position: 'fixed', left: '0', top: '0', zIndex: '9999', pointerEvents: 'none' })
  document.body.append(pointer)
  let place = `translate(${innerWidth / 2}px, ${innerHeight * 0.6}px)`
  pointer.style.transform = place
  globalThis.movePointer = async (x, y) => {
    const next = `translate(${x - 4}px, ${y - 2}px)`
    await pointer.animate([{ transform: place }, { transform: next }], { duration: 700, easing: 'ease-in-out' })
      .finished
    place = next
    pointer.style.transform = next
    await new Promise((done) => setTimeout(done, 250))
  }
}
