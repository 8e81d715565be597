// Compares (or with --write records) api/<entry>.txt: the exported names and every declaration a user can reach.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { ENTRIES, namesOf, reach, withoutComments } from './entries.mjs'

const write = process.argv.includes('--write')
mkdirSync('api', { recursive: true })

/** Files that an app never sees: how rows are stored, written and read. */
const INSIDE = /^dist\/(rows|records|lists|writing|reading|store)\//
/** The types in there that are public. */
const PUBLIC = new Set(
  ['rows/INVALID', 'rows/Meta', 'rows/doubt', 'store/stateShape', 'store/initialState', 'reading/isOptimistic'].map(
    (file) => `dist/${file}.d.ts`,
  ),
)

const left = new Set(readdirSync('api'))
const faults = []
const told = new Map() // declaration file -> where it is described
for (const entry of ENTRIES) {
  const name = `${entry.file}.txt`
  left.delete(name)
  compare(`api/${name}`, await describe(entry, name))
}
for (const name of left) {
  if (write) {
    rmSync(`api/${name}`)
  } else {
    faults.push(`api/${name} belongs to no entry point.`)
  }
}
if (faults.length > 0) {
  console.error(`${faults.join('\n')}\nRun \`npm run api\`, read the diff, and add a line to CHANGELOG.md.`)
  process.exit(1)
}
console.log(write ? 'api/ is recorded' : 'api/ is as recorded')

function compare(file, now) {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before === now) {
    return
  }
  if (write) {
    return writeFileSync(file, now)
  }
  const [old, young] = [before, now].map((text) => new Set(text.split('\n')))
  faults.push(
    `${file} differs from the code:`,
    ...[...old].filter((line) => !young.has(line)).map((line) => `  - ${line}`),
    ...[...young].filter((line) => !old.has(line)).map((line) => `  + ${line}`),
  )
}

// Declarations that an earlier entry describes are named, not told again.
async function describe({ id, built }, name) {
  const values = namesOf(built).values
  // One that needs no package of the app has to load here as it is.
  if (reach(built).packages.size === 0) {
    assert.deepEqual(Object.keys(await import(new URL(`../${built}`, import.meta.url))), values, id)
  }
  const { files } = reach(built.replace(/\.js$/, '.d.ts'))
  for (const file of files) {
    if (INSIDE.test(file) && !PUBLIC.has(file)) {
      faults.push(`The declarations of ${id} lead to ${file}, which is no business of an app.`)
    }
  }
  const pieces = [...files].map((file) => {
    const head = `// ${file.replace(/^dist\//, '')}`
    if (told.has(file)) {
      return `${head}: see ${told.get(file)}\n`
    }
    told.set(file, name)
    // Comments are left out: a better sentence is no change of the surface.
    return `${head}\n${withoutComments(file).trim()}\n\n`
  })
  return `${values.join('\n')}\n\n${pieces.join('')}`
}
