// Builds a small app with each bundler, in production and in development, runs it, and compares what it did with what the
// unbundled package does. Production bundles must hold no development texts and no code that only development runs.
// The quick bundlers of the package itself; with `--all` every one, with `--only metro` that one.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'vite'
import { bundleWithEsbuild, compileForNative, findNativePresets, OTHERS, QUICK } from './bundle.mjs'
import { ENTRIES, namesOf } from './entries.mjs'
import { foldDev } from './fold.mjs'
import { runBundle } from './runBundle.mjs'
import { visit } from './syntax.mjs'

const MODES = ['production', 'development']
// A bundler may leave a statement or two of `base/env.ts` behind, in each chunk. webpack and Rspack choose modules before they
// know `DEV`, and keep `base/warn.ts` and `explain/observers.ts`, which a production app does not call.
const SLACK = 320
// Of a bundler's error, or of the difference between two logs.
const MOST_TEXT = 2_000

const app = installApp('app')
const ideal = installApp('ideal', { change: (file, text) => foldDev(file, text, 'false') })
const texts = readdirSync('src', { recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.includes('.test'))
  .flatMap((file) => findDevelopmentTexts(readFileSync(`src/${file}`, 'utf8')))
assert(texts.length > 0, 'no text behind DEV was found in src/: this check looks for nothing')

const built = readdirSync('dist', { recursive: true }).filter((file) => file.endsWith('.js'))
// Helpers of a bundler have texts of their own.
const ownTexts = new Set(built.flatMap((file) => findSentences(readFileSync(`dist/${file}`, 'utf8'))))
const exported = new Set(built.flatMap((file) => namesOf(`dist/${file}`).values))

const expected = runUnbundled(app, 'production')
const explained = Object.fromEntries(MODES.map((mode) => [mode, stepOf(runUnbundled(app, mode), 'explain')]))
assert(/<li/.test(stepOf(expected, 'html')), 'the screen of the app shows no list')

const faults = []
for (const [name, bundle] of chooseBundlers()) {
  await attempt(name, async () => {
    const platform = name === 'metro' ? 'native' : 'browser'
    for (const mode of MODES) {
      const { text } = await bundle(join(app, platform === 'native' ? 'native.js' : 'web.js'), {
        mode,
        withPeers: true,
      })
      compare(await runBundle(text, platform), mode, name)
    }
    const over = await checkProduction(name, bundle)
    return `the same in both modes, no development code (${over} bytes over)`
  })
}
// Of Metro only the newest version is installed; how it compiles is a matter of the preset.
const bundlesNative = chooseBundlers().some(([name]) => name === 'metro')
for (const preset of bundlesNative ? findNativePresets() : []) {
  await attempt(preset, async () => {
    // Older ones make functions of methods and leave `super` in them.
    const modules = built.map((file) => [resolve('dist', file), readFileSync(`dist/${file}`, 'utf8')])
    for (const [file, text] of modules.filter(([, text]) => text.includes('super'))) {
      await compileForNative(preset, file, text, 'default')
      await compileForNative(preset, file, text, 'hermes-stable')
    }
    return 'compiles every use of super'
  })
}
await attempt('esbuild without a mode', async () => {
  // Nobody defined NODE_ENV: the texts are in the bundle, and production is what a missing `process` means.
  const { text } = await bundleWithEsbuild(join(app, 'bare.js'), { mode: 'none' })
  assert(
    texts.some((piece) => text.includes(piece)),
    'it should hold the development texts',
  )
  compare(await runBundle(text, 'browser'), 'production', 'the bundle')
  return 'the same, without process'
})
if (faults.length > 0) {
  console.error(faults.join('\n'))
}
// React's server renderer leaves a message channel open.
process.exit(faults.length > 0 ? 1 : 0)

async function attempt(name, run) {
  const start = performance.now()
  try {
    const result = await run()
    console.log(`${name}: ${result}, ${((performance.now() - start) / 1000).toFixed(1)} s`)
  } catch (error) {
    faults.push(`${name}: ${error.message.slice(0, MOST_TEXT)}`)
  }
}

function chooseBundlers() {
  const all = Object.entries({ ...QUICK, ...OTHERS })
  const only = process.argv.indexOf('--only')
  if (only > 0) {
    return all.filter(([name]) => name === process.argv[only + 1])
  }
  return process.argv.includes('--all') ? all : Object.entries(QUICK)
}

/** Lays an app out as npm would, with the built package in node_modules. Returns its folder. */
function installApp(name, { change = (_, text) => text } = {}) {
  const folder = resolve('.cache/bundlers', name)
  const target = join(folder, 'node_modules/restitch')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  cpSync('tests/bundlers/app', folder, { recursive: true })
  for (const peer of ['react', 'react-dom', 'scheduler']) {
    cpSync(join('node_modules', peer), join(folder, 'node_modules', peer), { recursive: true })
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const entries = ENTRIES.filter(({ id }) => !['restitch/devtools', 'restitch/explain'].includes(id)).map(importAll)
  writeFileSync(join(folder, 'everythingNative.js'), entries.join('\n'))
  // `restitch/explain` is for development code that an app chooses. Of the devtools, only the component is empty in production.
  // They are for pages, and Metro removes no module.
  const devtools = `import { RestitchDevtools } from 'restitch/devtools'; globalThis.devtools = RestitchDevtools`
  writeFileSync(join(folder, 'everything.js'), [...entries, devtools].join('\n'))
  cpSync('package.json', join(target, 'package.json'))
  for (const file of readdirSync('dist', { recursive: true }).filter((file) => file.endsWith('.js'))) {
    mkdirSync(join(target, 'dist', file, '..'), { recursive: true })
    writeFileSync(join(target, 'dist', file), change(file, readFileSync(join('dist', file), 'utf8')))
  }
  return folder
}

function importAll({ id }, at) {
  return `import * as entry${at} from '${id}'; globalThis['${id}'] = entry${at}`
}

function runUnbundled(folder, mode) {
  const code = `import('./web.js').then(() => globalThis.finished).then((result) => { console.log(JSON.stringify(result)); process.exit() })`
  const env = { ...process.env, NODE_ENV: mode }
  const output = execFileSync(process.execPath, ['--no-warnings', '-e', code], { cwd: folder, env, stdio: 'pipe' })
  return JSON.parse(output)
}

function stepOf({ log }, name) {
  return new Map(log).get(name)
}

function compare({ log, messages }, mode, name) {
  const steps = new Map(log)
  for (const [step, value] of expected.log) {
    // The app without React renders nothing, and explanations are for pages. Development records more to explain.
    if (!['html', 'explain'].includes(step) || steps.has(step)) {
      const right = step === 'explain' ? explained[mode] : value
      assert.deepEqual(steps.get(step), right, `${name} in ${mode} differs at "${step}"`)
    }
  }
  const isLong = messages.some((message) => message.includes('docs/errors.md'))
  assert.equal(isLong, mode === 'development', `${name} in ${mode} has the messages of the other mode`)
}

/** Returns how many bytes the bundle is larger than one in which `DEV` was `false` from the start. */
async function checkProduction(name, bundle) {
  const bundleAll = async (folder) => {
    const options = { mode: 'production', withPeers: false, splitting: true }
    const { text, later = '' } = await bundle(
      join(folder, name === 'metro' ? 'everythingNative.js' : 'everything.js'),
      options,
    )
    return text + later
  }
  const real = await bundleAll(app)
  const best = await bundleAll(ideal)
  const found = [
    ...texts.filter((piece) => real.includes(piece)),
    ...findSentences(real).filter((text) => ownTexts.has(text)),
  ]
  assert.deepEqual(found, [], `${name} in production holds development text`)
  const over = real.length - best.length
  const words = wordsOf(best)
  const more = [...wordsOf(real)].filter((word) => !words.has(word))
  // Metro drops no unused export and leaves each reading of DEV, so that its bytes say little and its words all.
  const isMore = name === 'metro' ? more.some((word) => !exported.has(word)) : over > SLACK
  assert(!isMore, `${name} in production holds ${over} bytes of development code: ${more.join(' ')}`)
  return over
}

/** Names of members and literal texts: the ones that only the larger bundle has tell what was kept. */
function wordsOf(bundle) {
  return new Set(bundle.match(/[A-Za-z_$]{4,}/g))
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
