// Production bundles by vite, webpack and esbuild hold no development text, and work where `process` is missing.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { parseSync } from 'vite'
import { bundleWithEsbuild, bundleWithVite, bundleWithWebpack } from './bundle.mjs'
import { ENTRIES, reach } from './entries.mjs'

// One app runs; the other holds the entries whose packages are not here to run with, and is only looked at.
const RUNS = writeApp(ENTRIES.filter(({ built }) => reach(built).packages.size === 0))
const LOOKED_AT = writeApp(ENTRIES.filter(({ built }) => reach(built).packages.size > 0))
const texts = readdirSync('src', { recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.includes('.test'))
  .flatMap((file) => findDevelopmentTexts(readFileSync(`src/${file}`, 'utf8')))
assert(texts.length > 0, 'no text behind DEV was found in src/: this check looks for nothing')

const BUNDLERS = { vite: bundleWithVite, webpack: bundleWithWebpack, esbuild: bundleWithEsbuild }
for (const [name, bundle] of Object.entries(BUNDLERS)) {
  const { text } = await bundle(RUNS)
  const other = LOOKED_AT && (await bundle(LOOKED_AT)).text
  const found = [...texts.filter((piece) => (text + other).includes(piece)), ...findSentences(text)]
  if (other) {
    found.push(...findSentences(other))
  }
  assert.deepEqual(found, [], `the production bundle of ${name} holds development text`)
  await useWithoutProcess(text)
  console.log(`${name}: ${text.length} bytes, none of ${texts.length} development texts, works without process`)
}
// Nobody defined NODE_ENV: the texts are in the bundle, and production is what a missing `process` means.
const { text: undecided } = await bundleWithEsbuild(RUNS, 'none')
assert(
  texts.some((piece) => undecided.includes(piece)),
  'a bundle without a mode should hold the development texts',
)
await useWithoutProcess(undecided)
console.log('esbuild without a mode: works without process')

function writeApp(entries) {
  const line = ({ id }, at) => `import * as entry${at} from '${id}'; globalThis['${id}'] = entry${at}`
  return entries.map(line).join('\n')
}

// What an app does first: one request, and one mistake.
async function useWithoutProcess(text) {
  const fetch = async (url) => Response.json({ url: String(url?.url ?? url) })
  const context = {
    AbortController,
    AbortSignal,
    Blob,
    FormData,
    Headers,
    Request,
    Response,
    URL,
    URLSearchParams,
    fetch,
  }
  Object.assign(context, { console, queueMicrotask, setTimeout, clearTimeout })
  runInContext(text, createContext(context))
  const { RestEndpoint, isRestitchError } = context.restitch
  const getUser = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/user/:id' })
  const { url } = await getUser({ id: 5 })
  assert.equal(url, 'https://api.test/user/5')
  try {
    getUser.url({})
  } catch (error) {
    assert(isRestitchError(error), `not an error of the library: ${error}`)
    assert(error.message.startsWith(`${error.code}: `) && !error.message.includes('docs/'), `a long message: ${error}`)
    return
  }
  assert.fail('a missing parameter raised no error')
}

// The literal pieces of whatever stands behind `DEV &&`, `DEV ?` and `if (DEV)`.
function findDevelopmentTexts(source) {
  const pieces = []
  visit(parseSync('source.ts', source).program, (node) => {
    const guarded =
      node.type === 'LogicalExpression' && node.operator === '&&' && mentionsDev(node.left)
        ? node.right
        : (node.type === 'IfStatement' || node.type === 'ConditionalExpression') && mentionsDev(node.test)
          ? node.consequent
          : undefined
    if (guarded) {
      visit(guarded, (inner) => pieces.push(...literalsOf(inner)))
    }
  })
  return pieces.map((piece) => piece.trim()).filter((piece) => piece.length >= 8 && /\s/.test(piece))
}

// A text that forgot its guard still reads like a sentence.
function findSentences(bundle) {
  const sentences = []
  visit(parseSync('bundle.js', bundle).program, (node) => {
    sentences.push(...literalsOf(node).filter((piece) => /[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+/.test(piece)))
  })
  return sentences
}

function literalsOf(node) {
  if (node.type === 'TemplateElement') {
    return [node.value.cooked ?? node.value.raw]
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? [node.value] : []
}

function mentionsDev(node) {
  if (node.type === 'LogicalExpression') {
    return mentionsDev(node.left) || mentionsDev(node.right)
  }
  return node.type === 'Identifier' && node.name === 'DEV'
}

function visit(node, see) {
  if (Array.isArray(node)) {
    for (const item of node) {
      visit(item, see)
    }
  } else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') {
      see(node)
    }
    for (const key of Object.keys(node)) {
      if (typeof node[key] === 'object') {
        visit(node[key], see)
      }
    }
  }
}
