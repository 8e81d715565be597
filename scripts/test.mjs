// `npm test`: everything that a change must not break. Checks that find little for their time are in scripts/matrix.mjs.
import { readTests } from './figures.mjs'
import { recordFigures } from './record.mjs'
import { runLanes } from './runner.mjs'

const SOURCES = [
  { name: 'format', run: 'oxfmt --check .' },
  // All rules for the sources; for the rest those that need no types, which take a fifteenth of the time.
  { name: 'lint, sources', run: 'oxlint --deny-warnings --format=unix src' },
  { name: 'lint', run: 'oxlint --deny-warnings --format=unix -c .oxlintrc.untyped.json' },
  { name: 'types', run: 'tsc -p tsconfig.json' },
  { name: 'types, demo', run: 'tsc -p demo/tsconfig.json' },
  { name: 'types, openapi', run: 'tsc -p openapi/tsconfig.json' },
  { name: 'types, eslint', run: 'tsc -p eslint/tsconfig.json' },
  { name: 'types, migrate', run: 'tsc -p migrate/tsconfig.json' },
  { name: 'layers', run: 'node scripts/layers.mjs', show: true },
  { name: 'lock', run: 'node scripts/lock.mjs', show: true },
  { name: 'docs', run: 'node scripts/docs.mjs', show: true },
  { name: 'voice', run: 'node scripts/voice.mjs', show: true },
  { name: 'tests', run: 'vitest run' },
]
const PACKAGE = [
  { name: 'build', run: 'node scripts/build.mjs' },
  { name: 'api', run: 'node scripts/api.mjs', needs: 'build', show: true },
  { name: 'built types', run: 'tsc -p tests/types-5.4/tsconfig.consumer.json', needs: 'build' },
  { name: 'size', run: 'node scripts/size.mjs', needs: 'build', show: true },
  { name: 'bundlers', run: 'node scripts/bundlers.mjs --only esbuild', needs: 'build', show: true },
  { name: 'unused', run: 'knip' },
  { name: 'tests, React 18', run: 'vitest run --config vitest.react18.config.ts tests/react18 tests/react/hooks' },
  {
    name: 'browser tests',
    run: 'vitest run --config vitest.browser.config.ts tests/react/chromium tests/react/hooks --exclude "**/endRef.test.ts"',
  },
  // A server that watches files waits for one of their events at times: before a release.
  { name: 'openapi', run: 'vitest run --config openapi/vitest.config.ts --exclude "**/vite.test.ts"' },
  { name: 'eslint plugin', run: 'vitest run --config eslint/vitest.config.ts' },
  { name: 'msw', run: 'vitest run --config vitest.msw.config.ts' },
  {
    name: 'openapi, compiled',
    run: 'node openapi/tests/measure.mjs petstore directus-camel',
    needs: 'build',
  },
  { name: 'migrate', run: 'vitest run --config migrate/vitest.config.ts' },
  // Information: it reads the titles of the tests and never fails.
  { name: 'rules', run: 'node scripts/rules.mjs', show: true },
]
// A lane of its own: it waits for the browser most of the time, while the others use the cores.
const DEMO = [
  {
    name: 'demo',
    run: 'vitest run --config demo/vitest.config.ts --exclude "**/{looks,random,screens,tour,break}.test.ts"',
  },
]

const seconds = await runLanes(SOURCES, PACKAGE, DEMO)
recordFigures('tests', readTests('.cache', seconds))
