// Builds the page and the server when their sources changed, then starts the one process that serves both.
// Its arguments are passed to the server: `--port 5000`, `--reset`, `--no-open`.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const DEMO = dirname(fileURLToPath(import.meta.url))
const CACHE = join(DEMO, '.cache')
const STAMP = join(CACHE, 'built')
const MAIN = join(CACHE, 'server/main.js')
const MODE = { mode: 'production', logLevel: 'warn' }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildDemo()
  process.chdir(dirname(DEMO))
  await import(pathToFileURL(MAIN).href)
}

/** Returns the file that starts the server. */
export async function buildDemo() {
  const hash = hashSources()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) {
    return MAIN
  }
  process.stdout.write('Building the page and the server …\n')
  const { build } = await import('vite')
  // A build for a test runs in another mode, which would select the slow development build of React.
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  await build({ ...MODE, configFile: join(DEMO, 'vite.config.ts') })
  await buildServer(dirname(MAIN))
  if (NODE_ENV === undefined) {
    delete process.env.NODE_ENV
  } else {
    process.env.NODE_ENV = NODE_ENV
  }
  // Last, so that a build that was interrupted is done again.
  writeFileSync(STAMP, hash)
  return MAIN
}

/** Writes `main.js` to a folder. The packages it imports stay where they are installed. */
export async function buildServer(outDir) {
  const { build } = await import('vite')
  const options = { ssr: 'server/main.ts', outDir, emptyOutDir: true, target: 'node20' }
  await build({ ...MODE, configFile: false, root: DEMO, build: options })
}

function hashSources() {
  const hash = createHash('sha256')
  const folders = ['app', 'server', '../src'].flatMap((folder) => listFiles(join(DEMO, folder)))
  const files = ['start.mjs', 'vite.config.ts', 'package-lock.json', '../package.json', '../docs/public/icon.svg'].map(
    (file) => join(DEMO, file),
  )
  for (const file of [...folders, ...files]) {
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test(-d)?\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
