// Prints what the package costs in a browser, minified and gzipped, and fails above the limit.
// `--parts` prints the cost of each folder and file of the first and the last row.
import { gzipSync } from 'node:zlib'
import { bundleWithEsbuild, bundleWithVite } from './bundle.mjs'

const ENDPOINTS = 'Endpoint, RestEndpoint, NetworkError, isRestitchError, START'
const SCHEMAS =
  'Entity, EntityMixin, entity, Collection, unshift, Query, All, Union, Values, Invalidate, Lazy, Scalar, validateRequired'
const HOOKS = 'AsyncBoundary, DataProvider, getDefaultManagers, useController, useDLE, useFetch, useQuery, useSuspense'
const TYPICAL = { restitch: 'Entity, resource', 'restitch/react': HOOKS }

// What an app uses, by entry. React, which the app has anyway, is not counted.
const ROWS = [
  // The cost of each part stands in docs/architecture.md.
  { name: 'endpoints only', uses: { restitch: ENDPOINTS }, limit: 5_790 },
  { name: 'endpoints and schemas', uses: { restitch: `${ENDPOINTS}, ${SCHEMAS}` }, limit: 8_000 },
  // The same classes once more, as members of one object.
  { name: 'with the namespace too', uses: { restitch: `${ENDPOINTS}, ${SCHEMAS}, schema` }, limit: 8_192 },
  { name: 'GraphQL endpoints only', uses: { 'restitch/graphql': 'GQLEndpoint, GQLNetworkError' }, limit: 3_070 },
  // The aim is 15 kB; docs/architecture.md says what goes beyond it.
  { name: 'a typical app', uses: TYPICAL, limit: 42_350 },
  {
    name: 'restitch/img on top of it',
    uses: { ...TYPICAL, 'restitch/img': 'Img, getImage' },
    on: TYPICAL,
    limit: 1_000,
  },
]

for (const { name, uses, on, limit } of ROWS) {
  const size = (await sizeOf(uses)) - (on ? await sizeOf(on) : 0)
  const over = size > limit
  console.log(`${name}: ${size} bytes of at most ${limit}${over ? ': too large' : ''}`)
  if (over) {
    process.exitCode = 1
  }
}
if (process.argv.includes('--parts')) {
  for (const row of [ROWS[0], ROWS.at(-1)]) {
    await printParts(row)
  }
}

function appOf(uses) {
  const imports = Object.entries(uses).map(([entry, names]) => `import { ${names} } from '${entry}'`)
  return `${imports.join('\n')}\nglobalThis.used = [${Object.values(uses).join(', ')}]`
}

// gzip works on the whole, so a part's cost is its share of the minified text.
async function printParts({ name, uses }) {
  const { text, inputs } = await bundleWithEsbuild(appOf(uses))
  const ratio = gzip(text) / text.length
  const files = Object.entries(inputs)
    .filter(([file]) => file.startsWith('dist/'))
    .map(([file, { bytesInOutput }]) => [file.slice('dist/'.length), bytesInOutput])
  const folders = new Map()
  for (const [file, bytes] of files) {
    const folder = `${file.split('/')[0]}/`
    folders.set(folder, (folders.get(folder) ?? 0) + bytes)
  }
  console.log(
    `\n${name}, by part (esbuild: ${text.length} bytes minified, ${gzip(text)} gzipped)\n  minified   gzipped, about`,
  )
  for (const [part, bytes] of [...folders, ['', 0], ...files.toSorted((a, b) => b[1] - a[1])]) {
    if (bytes > 0) {
      console.log(`  ${String(bytes).padStart(8)}  ${String(Math.round(bytes * ratio)).padStart(8)}  ${part}`)
    }
  }
}

async function sizeOf(uses) {
  return gzip((await bundleWithVite(appOf(uses))).text)
}

function gzip(text) {
  return gzipSync(text, { level: 9 }).length
}
