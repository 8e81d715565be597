// Checks the package as it would be published: what it holds, that each entry loads in Node, and that what a user writes
// compiles. `node tests/package/test.mjs [--built] [folders of TypeScript versions]`
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ENTRIES, reach } from '../../scripts/entries.mjs'
import { anchorsOf } from '../../scripts/headings.mjs'
import { installPacked } from '../../scripts/pack.mjs'

const compilers = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const folder = resolve('.cache/packed')
const target = join(folder, 'node_modules/restitch')
const run = (...args) => execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' })

if (!process.argv.includes('--built')) {
  run('scripts/build.mjs')
}
installPacked(folder)
const files = readdirSync(target, { recursive: true })
const stray = files.filter((path) => /\.test|^(?:tests|scripts|bench|demo)\b/.test(path))
assert.deepEqual(stray, [], 'files that users do not need')
const skills = readdirSync('skills').map((name) => `skills/${name}/SKILL.md`)
for (const name of ['README.md', 'docs/README.md', 'docs/errors.md', 'docs/api/useSuspense.md', ...skills]) {
  assert(files.includes(name), `the package has ${name}`)
}
checkLinks()
checkReadme()

writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
const isInstalled = (name) => name.startsWith('restitch/') || existsSync(packageOf(name))
const loaded = ENTRIES.filter(({ built }) => [...reach(built).packages].every(isInstalled))
assert(loaded.length > 0, 'there are entries to load')
writeFileSync(join(folder, 'load.js'), loaded.map(({ id }) => `import '${id}'`).join('\n'))
await import(pathToFileURL(join(folder, 'load.js')))
const { version } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
const { RestEndpoint } = await import(pathToFileURL(join(target, 'dist/index.js')))
const page = `https://unpkg.com/restitch@${version}/docs/errors.md#path-missing-param`
assert.throws(() => new RestEndpoint({ path: '/users/:id' }).url({}), { page }, 'an error links to its explanation')
for (const file of files.filter((path) => path.endsWith('.map'))) {
  const { sources } = JSON.parse(readFileSync(join(target, file), 'utf8'))
  for (const source of sources) {
    assert(existsSync(join(target, file, '..', source)), `${file} leads to ${source}, which the package does not have`)
  }
}
writeFileSync(
  join(folder, 'stack.js'),
  "import { RestEndpoint } from 'restitch'\ntry { new RestEndpoint({ path: '/users/:id' }).url({}) } catch (error) { console.log(error.stack) }",
)
const stack = run('--enable-source-maps', join(folder, 'stack.js'))
assert.match(
  stack,
  /\burl\b.*src\/rest\/RestEndpoint\.ts:\d+/,
  'a stack trace names functions and lines of the sources',
)
const line = Number(/RestEndpoint\.ts:(\d+)/.exec(stack)[1])
const sourceLine = readFileSync('src/rest/RestEndpoint.ts', 'utf8').split('\n')[line - 1]
assert.match(
  sourceLine,
  /\w\(/,
  `line ${line} of RestEndpoint.ts, which the stack trace names, calls something: ${sourceLine}`,
)

console.log(`${loaded.length} of ${ENTRIES.length} entries load, the others need a package that is not installed here`)

copyFileSync('tests/package/consumer.ts', join(folder, 'consumer.ts'))
const config = readFileSync('tests/types-5.4/tsconfig.consumer.json', 'utf8')
writeFileSync(join(folder, 'tsconfig.json'), config.replace('../package/consumer.ts', 'consumer.ts'))
for (const compiler of compilers) {
  const { version } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8'))
  try {
    run(resolve(compiler, 'bin/tsc'), '-p', folder)
  } catch ({ stdout }) {
    assert.fail(`TypeScript ${version} refuses what a user writes:\n${stdout}`)
  }
  console.log(`compiles with TypeScript ${version}`)
}

// Comments and messages of the built files link to pages, and to headings of them, that this version has published.
function checkLinks() {
  let links = 0
  for (const file of files.filter((path) => /^dist\/.*\.(?:js|d\.ts)$/.test(path))) {
    const text = readFileSync(join(target, file), 'utf8')
    assert.doesNotMatch(text, /(?<![\w/.])docs\/[\w/-]+\.md/, `${file} names a page without its address`)
    for (const [link, path, anchor] of text.matchAll(
      /https:\/\/unpkg\.com\/restitch@[\d.]+\/([\w/-]+\.md)(?:#([\w-]+))?/g,
    )) {
      assert(files.includes(path), `${file} links to ${link}, which is not published`)
      assert(
        !anchor || anchorsOf(join(target, path)).has(anchor),
        `${file} links to ${link}: the page has no such heading`,
      )
      links += 1
    }
  }
  assert(links > 300, `${links} links`)
  console.log(`${links} links of the built files lead to published pages`)
}

// A registry shows the README without the files around it.
function checkReadme() {
  const text = readFileSync(join(target, 'README.md'), 'utf8')
  assert.doesNotMatch(text, /<img|<picture|!\[/, 'the README of the package has no picture')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)]
  const anchors = new Set(headings.map(([, heading]) => `#${heading.toLowerCase().replaceAll(' ', '-')}`))
  for (const [, href] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (href.startsWith('#')) {
      assert(anchors.has(href), `the README links to ${href}, a heading that it does not have`)
      continue
    }
    const [, path] = /^https:\/\/unpkg\.com\/restitch@[\d.]+\/([^#]+)/.exec(href) ?? []
    assert(path && files.includes(path), `the README links to ${href}, which is not published`)
  }
  for (const name of ['homepage', 'bugs', 'repository']) {
    const address = JSON.parse(readFileSync('package.json', 'utf8'))[name]
    assert(!address || /^(?:git\+)?https:/.test(address.url ?? address), `${name} leads somewhere`)
  }
}

function packageOf(id) {
  return join('node_modules', ...id.split('/').slice(0, id.startsWith('@') ? 2 : 1))
}
