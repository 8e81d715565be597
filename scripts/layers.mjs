// The order of the folders is the order of one fetch.
// A file imports from its own folder or from an earlier row; neighbours in one row leave each other alone.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const ORDER = [
  ['base'],
  ['path'],
  ['codegen'],
  ['rows'],
  ['schema'],
  ['records'],
  ['lists'],
  ['writing', 'reading'],
  ['kinds'],
  ['endpoint'],
  ['rest', 'graphql'],
  ['advice'],
  ['store'],
  ['requests'],
  ['views'],
  ['controller'],
  ['explain'],
  ['managers'],
  ['client'],
  ['disk'],
  ['adapt', 'auth', 'batch', 'etag', 'live', 'outbox', 'persist', 'progress', 'query', 'tabs'],
  ['compat'],
  ['mock'],
  ['binding'],
  ['angular', 'react', 'solid', 'svelte', 'vue', 'devtools'],
  ['img', 'test'],
  // The tools that tests share. Nothing else imports them, and the package does not contain them.
  ['testing'],
]
// codegen is a program of its own on base/ and path/: nobody imports it, and it alone may use Node.
const PROGRAM = 'codegen'

const IMPORT =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

// Files that import one another, types included. No circle crosses folders, since no arrow runs up.
const MOST_CIRCLES = 21
const LARGEST_CIRCLE = 6

// Syntax that the Babel preset of React Native leaves out. `npm run test:bundlers` shows whether that is still so.
const UNREADABLE = [
  [/^export \* as /m, '"export * as". Import the namespace, then export it.'],
  [/^\s*static \{/m, 'a static block. Call a function with the class.'],
]

const { dependencies = {}, peerDependencies = {}, imports } = JSON.parse(readFileSync('package.json', 'utf8'))
const packages = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)])
const files = readdirSync('src', { recursive: true })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file))
const circles = findCircles(files.filter((file) => !isTest(file)))
const faults = [...files.flatMap(checkFile), ...checkCircles()]
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
console.log(`${files.length} files in order, ${circles.length} circles of at most ${circles[0]?.length ?? 0} files`)

function checkFile(file) {
  const folder = folderOf(file)
  if (folder !== undefined && rowOf(folder) < 0) {
    return [`src/${file}: "${folder}" has no place in ORDER (scripts/layers.mjs)`]
  }
  const text = codeOf(file)
  const forMetro = isTest(file) ? [] : UNREADABLE.filter(([pattern]) => pattern.test(text))
  if (forMetro.length > 0) {
    return forMetro.map(([, remedy]) => `src/${file}: Metro cannot read ${remedy}`)
  }
  return importsOf(text).flatMap((specifier) => {
    const fault = specifier.startsWith('.') ? checkPath(file, folder, specifier) : checkPackage(file, folder, specifier)
    return fault ? [`src/${file} imports ${specifier}: ${fault}`] : []
  })
}

function checkCircles() {
  const found = circles.map((circle) => `${circle.length} files import one another: ${circle.join(', ')}`)
  const tooLarge = found.filter((_, i) => circles[i].length > LARGEST_CIRCLE)
  return circles.length > MOST_CIRCLES
    ? [`${circles.length} circles of imports, at most ${MOST_CIRCLES} are allowed:`, ...found]
    : tooLarge
}

/** The strongly connected files, the largest circle first (Tarjan). */
function findCircles(all) {
  const targets = new Map(
    all.map((file) => [file, importsOf(codeOf(file)).map((one) => posix.join(posix.dirname(file), one))]),
  )
  const numbers = new Map()
  const path = []
  const found = []
  const visit = (file) => {
    const number = numbers.size
    numbers.set(file, number)
    const start = path.push(file) - 1
    let lowest = number
    for (const target of targets.get(file)) {
      if (targets.has(target) && !numbers.has(target)) {
        lowest = Math.min(lowest, visit(target))
      } else if (path.includes(target)) {
        lowest = Math.min(lowest, numbers.get(target))
      }
    }
    if (lowest === number) {
      found.push(path.splice(start))
    }
    return lowest
  }
  all.forEach((file) => numbers.has(file) || visit(file))
  return found.filter(({ length }) => length > 1).toSorted((a, b) => b.length - a.length)
}

function codeOf(file) {
  return readFileSync(`src/${file}`, 'utf8').replace(/^\s*(?:\*|\/[/*]).*$/gm, '')
}

function importsOf(text) {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3])
}

function checkPath(file, folder, specifier) {
  const target = posix.join(posix.dirname(file), specifier)
  if (isTest(file) && target.startsWith('../tests/')) {
    return undefined
  }
  if (target.startsWith('..')) {
    return 'it lies outside src/'
  }
  if (/(^|\/)index\.ts$/.test(target)) {
    return 'nobody inside src/ imports an index.ts'
  }
  const to = folderOf(target)
  // A test may reach its subject through later folders; it is no part of the package.
  if (folder === undefined || to === folder || isTest(file)) {
    return undefined
  }
  if (to === PROGRAM || rowOf(to) >= rowOf(folder)) {
    return `${to}/ does not come before ${folder}/`
  }
  return undefined
}

// Tests may use whatever package they like, except our own: inside src/ they import the file they test.
function checkPackage(file, folder, specifier) {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (name === 'restitch') {
    return 'inside src/ name the file; tests that use the package lie in tests/'
  }
  if (isTest(file) || packages.has(name) || Object.hasOwn(imports, specifier)) {
    return undefined
  }
  if (specifier.startsWith('node:')) {
    return folder === PROGRAM ? undefined : 'it does not exist in a browser'
  }
  return 'it is neither a dependency nor a peer'
}

function isTest(file) {
  return /\.test(-d)?\.tsx?$/.test(file) || file.startsWith('testing/')
}

function folderOf(file) {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined
}

function rowOf(folder) {
  return ORDER.findIndex((row) => row.includes(folder))
}
