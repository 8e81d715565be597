// Makes a fresh clone ready: checks Node, installs what the lock files say when they changed, and finds a browser.
// It runs before anything is installed, so it uses Node alone. `--browser` is given by the commands that test in one;
// `--only demo` installs no other folder, `--also tests/bundlers` one more.
import { execSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`restitch needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const FOLDERS = [
  '.',
  'tests/types-5.4',
  'tests/react18',
  'tests/compiler',
  'tests/msw',
  'demo',
  'docs',
  'openapi',
  'eslint',
  'migrate',
]
const only = namesAfter('--only')
for (const folder of [...(only.length > 0 ? only : FOLDERS), ...namesAfter('--also')]) {
  install(fileURLToPath(new URL(`../${folder}/`, import.meta.url)))
}

if (process.argv.includes('--browser')) {
  const { installChromium } = await import('./chromium.mjs')
  await installChromium()
}

// The stamp lies inside node_modules, which `npm ci` empties first: an interrupted install leaves none behind.
function install(folder) {
  const stamp = `${folder}node_modules/.restitch-setup`
  const hash = createHash('sha256')
    .update(readFileSync(`${folder}package-lock.json`))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) {
    return
  }
  console.log(`setup: npm ci in ${folder}`)
  execSync('npm ci --include=dev --no-audit --no-fund', { cwd: folder, stdio: 'inherit' })
  writeFileSync(stamp, hash)
}

function namesAfter(option) {
  const at = process.argv.indexOf(option)
  const rest = at < 0 ? [] : process.argv.slice(at + 1)
  const end = rest.findIndex((word) => word.startsWith('--'))
  return end < 0 ? rest : rest.slice(0, end)
}
