// Builds the site of docs/ without a network, and uses it in Chromium as a reader does: every page, every link, every example that runs.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { fileOf, serveSite, SITE } from './serveSite.mjs'

if (!process.argv.includes('--built')) {
  execFileSync(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'], { cwd: 'docs', stdio: 'pipe' })
}
const files = readdirSync(SITE, { recursive: true }).map((name) => name.replaceAll('\\', '/'))
const pages = files.filter((name) => name.endsWith('.html') && name !== '404.html')
checkLinks()
checkTexts()
const executablePath = await findChromium()
assert(executablePath, 'Chromium is installed')
const site = await serveSite()
const { origin } = site
const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS })
try {
  for (const framework of ['react', 'vue', 'svelte', 'solid']) {
    await runExamples(framework)
  }
  await edit()
  await paste()
  await switchFramework()
  await search()
  await fitTables()
  await fitPhone()
} finally {
  await browser.close()
  site.close()
}

// Every page can be reached from the first one, and every link leads to a page and to an element of it.
function checkLinks() {
  const seen = new Set(['index.html'])
  for (const page of seen) {
    const html = readFileSync(join(SITE, page), 'utf8')
    for (const [, href] of html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/g)) {
      if (/^(?:https?|mailto):/.test(href)) {
        continue
      }
      const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://x/${page}`)
      const target = fileOf(pathname)
      assert(target, `${page} links to ${href}, which does not exist`)
      if (target.endsWith('.html')) {
        seen.add(target)
        const id = decodeURIComponent(hash.slice(1))
        const isThere = !id || readFileSync(join(SITE, target), 'utf8').includes(`id="${id}"`)
        assert(isThere, `${page} links to ${href}, and the page has no such heading`)
      }
    }
  }
  const lost = pages.filter((page) => !seen.has(page))
  assert.deepEqual(lost, [], 'pages that no page links to')
  console.log(`${seen.size} pages can be reached, no link is dead`)
}

function checkTexts() {
  const index = readFileSync(join(SITE, 'llms.txt'), 'utf8')
  const names = [...index.matchAll(/\]\(((?:learn|guide|api)\/[\w-]+\.md)/g)].map(([, name]) => name)
  const full = readFileSync(join(SITE, 'llms-full.txt'), 'utf8')
  for (const name of names) {
    assert.equal(readFileSync(join(SITE, name), 'utf8'), readFileSync(join('docs', name), 'utf8'))
    assert(full.includes(`<!-- ${name} -->`), `llms-full.txt has ${name}`)
  }
  for (const name of readdirSync('skills')) {
    assert(index.includes(`](skills/${name}/SKILL.md)`), `llms.txt has ${name}`)
    assert.equal(
      readFileSync(join(SITE, 'skills', name, 'SKILL.md'), 'utf8'),
      readFileSync(join('skills', name, 'SKILL.md'), 'utf8'),
    )
  }
  console.log(`llms.txt leads to ${names.length} pages that are there`)
}

async function runExamples(framework) {
  const page = await browser.newPage()
  await page.addInitScript((name) => localStorage.setItem('restitch-framework', name), framework)
  const faults = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => request.url().startsWith(origin) || faults.push(`${request.url()} left the page`))
  page.on('response', (response) => response.ok() || faults.push(`${response.status()} ${response.url()}`))
  // The page about offline data has no playground: its data on the disk would outlive it.
  const steps = pages.filter((name) => name.startsWith('learn/') && !name.startsWith('learn/12-'))
  const names = [...steps, 'playground.html', 'index.html']
  let count = 0
  for (const name of names) {
    await page.goto(`${origin}/${name.replace(/(?:index)?\.html/, '')}`, { waitUntil: 'load' })
    const playgrounds = page.locator('.playground')
    await playgrounds.first().waitFor()
    for (const playground of await playgrounds.all()) {
      // It starts when it comes into view.
      await playground.scrollIntoViewIfNeeded()
      await playground
        .getByRole('region', { name: 'App' })
        .getByText(/Paint the door|2 tasks|Event 45/)
        .first()
        .waitFor()
      count += 1
    }
  }
  await page.close()
  assert.deepEqual(faults, [])
  console.log(`${count} examples run on ${names.length} pages, without a request, for ${framework}`)
}

// A page shows the code of one framework, before its scripts have loaded and on the next visit. Without scripts it shows all.
async function switchFramework() {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const codeOf = (name) =>
    page.locator(`.for-${name} .language-tsx, .for-${name} .language-vue, .for-${name} .language-svelte`).first()
  const expectShown = async (name, other) => {
    await codeOf(name).waitFor()
    assert.equal(await codeOf(other).isVisible(), false, `${other} is hidden`)
  }
  await page.goto(`${origin}/learn/2-details`, { waitUntil: 'load' })
  await expectShown('react', 'vue')
  const last = page.getByRole('group', { name: 'Show the code for' }).last()
  const vue = last.getByRole('radio', { name: 'Vue' })
  await last.scrollIntoViewIfNeeded()
  // The keys of radio buttons work once the page is hydrated.
  await last.getByRole('radio', { name: 'React', checked: true }).focus()
  const { y: before } = await last.boundingBox()
  await page.keyboard.press('ArrowRight')
  await expectShown('vue', 'react')
  assert.equal(await vue.isChecked(), true)
  assert.equal(
    await page.getByRole('radio', { name: 'Vue', checked: true }).count(),
    await page.locator('.framework-switch').count(),
  )
  const { y: after } = await last.boundingBox()
  assert(Math.abs(after - before) < 2, 'the switch stays in its place')
  // A pointer meets the label. Pages without code for Solid show that of React.
  await last.getByText('Solid').click()
  await expectShown('solid', 'vue')
  await page.goto(`${origin}/guide/queries`, { waitUntil: 'load' })
  await codeOf('react').waitFor()
  await page.getByRole('radio', { name: 'React', checked: true }).first().waitFor()
  await page.locator('.framework-switch').first().getByText('Vue').click()
  await page.route(/\.js$/, (route) => route.abort())
  await page.goto(`${origin}/learn/3-create-delete`)
  await expectShown('vue', 'react')
  await page.close()

  const plain = await browser.newPage({ javaScriptEnabled: false })
  await plain.goto(`${origin}/learn/2-details`)
  assert.deepEqual(await plain.locator('.framework-name').first().innerText(), 'React')
  assert.equal(await plain.locator('.for-react .language-tsx').first().isVisible(), true)
  assert.equal(await plain.locator('.for-vue .language-vue').first().isVisible(), true)
  assert.equal(await plain.locator('.framework-switch').first().isVisible(), false)
  await plain.close()
  console.log('the switch shows one framework, remembers it, and needs no script to show all')
}

// An edit runs on its own. One that fails says so, and the last good app stays.
async function edit() {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}/playground`)
  const playground = page.locator('.playground').first()
  const app = playground.getByRole('region', { name: 'App' })
  const code = playground.getByRole('textbox', { name: 'Code of src/App.tsx' })
  await app.getByText('Open (4)').waitFor()
  const [left, right] = await Promise.all([code.boundingBox(), app.boundingBox()])
  assert(right.x > left.x + left.width && right.y < left.y + 100, 'the code and the app stand side by side')
  const text = await code.inputValue()
  await code.fill(text.replace('title="Open"', 'title="To do"'))
  await app.getByText('To do (4)').waitFor()
  for (const [mistake, message] of [
    ['return (', 'App.tsx'],
    ['title="Open" done={false}', 'is not defined'],
  ]) {
    const wrong = mistake === 'return (' ? 'return ((' : 'title={missing} done={false}'
    await code.fill(text.replace(mistake, wrong))
    await app.getByRole('alert').filter({ hasText: message }).waitFor()
    await app.getByText('the last version that worked').waitFor()
    await app.getByText('To do (4)').waitFor()
  }
  await playground.getByRole('button', { name: 'Undo my edits' }).click()
  await app.getByText('Open (4)').waitFor()
  assert.equal(await app.getByRole('alert').count(), 0)
  await page.close()
  console.log('edits run on their own, and a mistake leaves the last good app')
}

async function paste() {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}/paste`)
  const code = page.getByRole('region', { name: 'Code' })
  await code.getByText('class Owner extends Entity').waitFor()
  await page.getByLabel('The path of the request').fill('/api/books')
  await page.getByLabel('The response, as JSON').fill('[{"id":"b1","title":"Emma"}]')
  await code.getByText("export const Books = resource({ path: '/api/books/:id', schema: Book })").waitFor()
  await page.getByRole('region', { name: 'Records' }).getByText('Emma').waitFor()
  await page.getByRole('region', { name: 'Lists' }).getByText('b1').waitFor()
  await page.getByLabel('The response, as JSON').fill('[{')
  await page.getByRole('alert').getByText('This is not JSON').waitFor()
  await page.close()
  console.log('a pasted response becomes records, lists and code')
}

// A name leads to its page, and a word to a page that has it in its title.
async function search() {
  const page = await browser.newPage()
  await page.goto(origin)
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click()
  const expected = {
    useSuspense: '/api/useSuspense',
    useMutation: '/api/useMutation',
    resource: '/api/resource',
    Collection: '/api/Collection',
    Entity: '/api/Entity',
    RestEndpoint: '/api/RestEndpoint',
    optimistic: '/learn/5-optimistic',
    'optimistic updates': '/learn/5-optimistic',
    relations: '/learn/7-relations',
    undo: '/guide/undo',
    'path-missing-param': '/errors#path-missing-param',
  }
  for (const [words, address] of Object.entries(expected)) {
    await page.getByRole('searchbox').fill(words)
    const first = page.locator('.result').first()
    const found = async () => (await first.getAttribute('href'))?.replace(/\.html(?=#|$)/, '') ?? ''
    const end = Date.now() + 20_000
    while (!(await found()).startsWith(address)) {
      assert(Date.now() < end, `"${words}" finds ${await found()} before ${address}`)
      await page.waitForTimeout(50)
    }
  }
  await page.close()
  console.log('the search finds names and titles first')
}

// At this width nothing of a table is cut off.
async function fitTables() {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const wide = []
  for (const name of pages.filter((name) => /^(?:learn|guide)/.test(name))) {
    await page.goto(`${origin}/${name.replace('.html', '')}`, { waitUntil: 'domcontentloaded' })
    const count = await page
      .locator('.vp-doc table:not(.playground table)')
      .evaluateAll((tables) => tables.filter((table) => table.scrollWidth > table.clientWidth + 1).length)
    if (count > 0) {
      wide.push(`${name}: ${count}`)
    }
  }
  await page.close()
  assert.deepEqual(wide, [], 'pages with tables that are cut off')
  console.log('tables fit')
}

async function fitPhone() {
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
  const wide = []
  for (const name of pages.filter((name) => /^(?:index|learn|guide|playground|paste)/.test(name))) {
    await page.goto(`${origin}/${name.replace(/(?:index)?\.html$/, '')}`, { waitUntil: 'domcontentloaded' })
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > 390) {
      wide.push(`${name}: ${width}`)
    }
  }
  await page.close()
  assert.deepEqual(wide, [], 'pages that are wider than a phone')
  console.log('pages fit a phone')
}
