// The second half of `npm run test:release`: every version and tool that users have, and what takes long.
import { runLanes } from './runner.mjs'

const VERSIONS = {
  5.4: 'tests/types-5.4/node_modules/typescript',
  5.9: 'tests/typescript/node_modules/typescript-5.9',
  '6.0': 'tests/typescript/node_modules/typescript-6.0',
  '7.0': 'node_modules/typescript',
}
const USERS = [
  { name: 'build', run: 'node scripts/build.mjs' },
  ...['5.4', '5.9', '6.0'].map((version) => ({
    name: `types ${version}`,
    run: `node ${VERSIONS[version]}/bin/tsc -p tests/types-5.4/tsconfig.json`,
  })),
  {
    name: 'types, Vue 3.4',
    run: `node ${VERSIONS['5.4']}/bin/tsc -p tests/vue34/tsconfig.json`,
    needs: 'build',
  },
  {
    name: 'packed',
    run: `node tests/package/test.mjs --built ${Object.values(VERSIONS).join(' ')}`,
    needs: 'build',
    show: true,
  },
  { name: 'tests, built', run: 'vitest run --config vitest.built.config.ts', needs: 'build' },
  { name: 'emitted types', run: 'node tests/emit/test.mjs', needs: 'build', show: true },
  { name: 'docs, with Vue', run: 'node scripts/docs.mjs --vue' },
  { name: 'lint, all rules', run: 'oxlint --deny-warnings --format=unix' },
  { name: 'publint', run: 'publint --strict', needs: 'build' },
  { name: 'attw', run: 'attw --pack . --profile esm-only', needs: 'build' },
  { name: 'bundlers', run: 'node scripts/bundlers.mjs --all', needs: 'build', show: true },
  { name: 'openapi descriptions', run: 'node openapi/tests/measure.mjs', needs: 'build', show: true },
  {
    name: 'openapi, TypeScript 5.4',
    run: `node openapi/tests/measure.mjs --typescript ${VERSIONS['5.4']}`,
    needs: 'build',
    show: true,
  },
  { name: 'openapi type cost', run: 'node openapi/tests/typecost.mjs', needs: 'openapi descriptions', show: true },
  { name: 'openapi, packed', run: 'node openapi/tests/packed.mjs', needs: 'build' },
  { name: 'eslint plugin, packed', run: 'node eslint/tests/packed.mjs' },
  { name: 'migrate, packed', run: 'node migrate/tests/packed.mjs', needs: 'build', show: true },
  { name: 'migrate apps', run: 'vitest run --config migrate/vitest.apps.config.ts' },
  { name: 'openapi app', run: 'vitest run --config openapi/vitest.app.config.ts' },
  { name: 'site', run: 'node tests/site/test.mjs', show: true },
  { name: 'pictures', run: 'node tests/looks/screenshots.mjs --built', needs: 'site', show: true },
  { name: 'jest', run: 'node tests/jest/test.mjs --built', needs: 'build' },
  { name: 'servers of others', run: 'node tests/servers/test.mjs --built', needs: 'build', show: true },
  // It packs the package once more, so it comes last.
  { name: 'examples', run: 'node examples/test.mjs', needs: 'build', show: true },
  { name: 'components in the documents', run: 'node scripts/docsSvelte.mjs', needs: 'examples', show: true },
  { name: 'examples, alone', run: 'node examples/alone.mjs', needs: 'build', show: true },
]
const LONG = [
  { name: 'tests, React 18', run: 'vitest run --config vitest.react18.config.ts' },
  { name: 'tests, Vue 3.4', run: 'vitest run --config vitest.vue34.config.ts' },
  { name: 'contract, Preact', run: 'vitest run --config vitest.preact.config.ts' },
  { name: 'browser tests', run: 'vitest run --config vitest.browser.config.ts' },
  { name: 'browser tests, React 18', run: 'vitest run --config vitest.browser18.config.ts' },
  ...['22', '26'].map((version) => ({ name: `tests, Node ${version}`, run: `node tests/node/test.mjs ${version}` })),
  {
    name: 'tests, all cases',
    run: 'vitest run src tests/spec tests/ssr tests/outbox/model tests/simulator/simulator tests/solid/learn tests/browser/learn tests/messages/messages',
    env: { RESTITCH_EFFORT: 'full' },
  },
  {
    name: 'openapi, all cases',
    run: 'vitest run --config openapi/vitest.config.ts survey stable vite',
    env: { RESTITCH_EFFORT: 'full' },
  },
  {
    name: 'demo, all cases',
    run: 'vitest run --config demo/vitest.config.ts random looks screens tour break',
    env: { RESTITCH_EFFORT: 'full' },
  },
  { name: 'editor', run: 'vitest run --config vitest.release.config.ts tests/messages' },
  { name: 'planted faults', run: 'vitest run --config vitest.release.config.ts tests/simulator' },
  { name: 'a day', run: 'vitest run --config vitest.release.config.ts tests/day', env: { RESTITCH_HOURS: '24' } },
  { name: 'simulation', run: 'node tests/simulator/simulate.mjs --steps 2000000', show: true },
  { name: 'outbox model', run: 'node tests/outbox/crash.mjs --schedules 100000', show: true },
  { name: 'outbox kills', run: 'node tests/outbox/kills.mjs --runs 5', show: true },
  { name: 'wrong screens', run: 'node bench/wrong.mjs --steps 1000 --only restitch', show: true },
]

await runLanes(USERS, LONG)
