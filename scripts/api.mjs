// Compares (or with --write records) api/<entry>.txt: the exported names and every declaration a user can reach.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'

const write = process.argv.includes('--write')
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
mkdirSync('api', { recursive: true })

const left = new Set(readdirSync('api'))
const faults = []
for (const [subpath, target] of Object.entries(exports)) {
  if (!target.types) continue // ./package.json
  const name = `${subpath === '.' ? 'restitch' : subpath.slice(2).replaceAll('/', '-')}.txt`
  left.delete(name)
  await compare(`api/${name}`, await describe(target))
}
for (const name of left) {
  if (write) rmSync(`api/${name}`)
  else faults.push(`api/${name} belongs to no entry point.`)
}
if (faults.length > 0) {
  console.error(`${faults.join('\n')}\nRun \`npm run api\`, read the diff, and add a line to CHANGELOG.md.`)
  process.exit(1)
}
console.log(write ? 'api/ is recorded' : 'api/ is as recorded')

async function compare(file, now) {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before === now) return
  if (write) return writeFileSync(file, now)
  const [old, young] = [before, now].map((text) => new Set(text.split('\n')))
  faults.push(
    `${file} differs from the code:`,
    ...[...old].filter((line) => !young.has(line)).map((line) => `  - ${line}`),
    ...[...young].filter((line) => !old.has(line)).map((line) => `  + ${line}`),
  )
}

async function describe(target) {
  const values = Object.keys(await import(new URL(`../${target.default}`, import.meta.url)))
  return `${values.toSorted().join('\n')}\n\n${describeFile(posix.normalize(target.types), new Set())}`
}

// Comments are left out: a better sentence is no change of the surface.
function describeFile(file, seen) {
  if (seen.has(file)) return ''
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  const below = [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g)].map(([, path]) =>
    describeFile(posix.join(posix.dirname(file), `${path}.d.ts`), seen),
  )
  const bare = text.replace(/^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm, '').replace(/^[ \t]*\/\/.*\n/gm, '')
  return `${below.join('')}// ${file.replace(/^dist\//, '')}\n${bare.trim()}\n\n`
}
