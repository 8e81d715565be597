// `npm run check`: what to run while working. Format, lint, types, layers, wording, and the tests that changed files can break.
import { execFile } from 'node:child_process'
import { dirname, relative } from 'node:path'
import { promisify } from 'node:util'
import { runLanes } from './runner.mjs'

const execute = promisify(execFile)
// A file that everything imports can break every test. The nearest ones run here, all of them in `npm test`.
const MOST_FILES = 30
// They read the sources as text, so no import tells that a change concerns them.
const ALWAYS = ['tests/planted.test.ts', 'tests/spec/controller.explain-doubt.test.ts']
// These take long however little they have to do.
const SLOW = ['tests/simulator/**', 'tests/day.test.ts', 'tests/browser/**', 'tests/messages/**']

await runLanes(
  [
    { name: 'format', run: 'oxfmt --check .' },
    { name: 'layers', run: 'node scripts/layers.mjs' },
    { name: 'voice', run: 'node scripts/voice.mjs', show: true },
    { name: 'lint', run: 'oxlint --deny-warnings --format=unix' },
    { name: 'types', run: 'tsc -p tsconfig.json' },
  ],
  [{ name: 'tests', run: chooseTests }],
)

async function chooseTests() {
  const base = await findBase()
  const changed = new Set(await git('diff', '--name-only', base))
  for (const file of await git('ls-files', '--others', '--exclude-standard')) {
    changed.add(file)
  }
  const excluded = SLOW.flatMap((pattern) => ['--exclude', pattern])
  const list = ['node_modules/vitest/vitest.mjs', 'list', '--changed', base, '--filesOnly', '--json', ...excluded]
  const { stdout } = await execute(process.execPath, list, { maxBuffer: 2 ** 26 })
  const affected = JSON.parse(stdout).map(({ file }) => relative('.', file).replaceAll('\\', '/'))
  const folders = new Set([...changed].map((file) => dirname(file)))
  const distance = (file) => (changed.has(file) ? 0 : folders.has(dirname(file)) ? 1 : file.startsWith('src/') ? 2 : 3)
  const chosen = affected.toSorted((a, b) => distance(a) - distance(b)).slice(0, MOST_FILES)
  console.log(
    `${changed.size} changed files can break ${affected.length} test files; ${chosen.length} of them run here`,
  )
  return `vitest run ${[...new Set([...chosen, ...ALWAYS])].join(' ')}`
}

/** The commit at which this branch left `main`; on `main` itself the last commit, so that only uncommitted changes count. */
async function findBase() {
  for (const name of ['main', 'origin/main']) {
    try {
      const [base] = await git('merge-base', 'HEAD', name)
      return base
    } catch {
      // There is no such branch in this clone.
    }
  }
  return 'HEAD'
}

async function git(...args) {
  const { stdout } = await execute('git', args)
  return stdout.split('\n').filter(Boolean)
}
