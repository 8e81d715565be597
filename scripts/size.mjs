// Prints what an app loads of the package by what it uses, minified and gzipped, and fails when a row has grown by more than 2 %.
// A row is all that the page may load; the part that it loads at once stands beside it. Frameworks are not counted.
// `--record` writes the sizes that later runs are compared with, and the table of the README and the guide; `--parts` prints the
// cost of each folder and file of the smallest app, `--parts resource` of another one.
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { bundleWithEsbuild, bundleWithVite, writeApp } from './bundle.mjs'

const RECORD = 'scripts/size.json'
/** Pages that show the table: a row is found by its title. */
const PAGES = ['README.md', 'docs/guide/comparison.md']
const ALLOWED_GROWTH = 0.02
/** Bytes that an app with another framework may have more than the same app with React. */
const MORE_THAN_REACT = 1_000
/** Bytes that an entry may add to the app with `resource`; `goal` as in the table. `outbox` alone has a database of its own to open. */
const ENTRIES = {
  persist: { most: 9_900, goal: 6_000, uses: { 'restitch/persist': 'persist' } },
  tabs: { most: 4_000, goal: 3_000, uses: { 'restitch/tabs': 'tabs' } },
  outbox: { most: 14_300, goal: 9_000, uses: { 'restitch/outbox': 'outbox' } },
  query: { most: 6_500, goal: 2_500, uses: { 'restitch/query': 'query, sortBy, where' } },
}
const FRAMEWORKS = { angular: 'Angular', vue: 'Vue', svelte: 'Svelte', solid: 'Solid' }

const HOOKS = 'AsyncBoundary, DataProvider, useController, useDLE, useMutation, useSuspense'
/** What an Entity brings, and what a Collection does. */
const OF_RECORDS = [
  'kinds/Entity.js',
  'kinds/recordCode.js',
  'records/classInfo.js',
  'records/receiveRecord.js',
  'records/fields.js',
  'writing/visitRecord.js',
  'writing/unchanged.js',
  'reading/record.js',
  'reading/recordNodes.js',
  'reading/readRecords.js',
]
const OF_LISTS = ['kinds/listCode.js', 'lists/code.js', 'lists/refetch.js', 'lists/nextPage.js', 'reading/readList.js']
/** The table: each row has all that stands above it. `goal` is in bytes; `without` has files that it must not carry. */
const ROWS = {
  endpoint: {
    title: '`Endpoint`, for plain functions',
    goal: 28_000,
    uses: { restitch: 'Endpoint', 'restitch/react': HOOKS },
    without: ['path/compile.js', 'rest/RestEndpoint.js', 'kinds/Invalidate.js', ...OF_RECORDS, ...OF_LISTS],
  },
  rest: {
    title: '`RestEndpoint`',
    goal: 31_000,
    uses: { restitch: 'Endpoint, RestEndpoint', 'restitch/react': HOOKS },
    without: ['rest/resource.js', 'kinds/Invalidate.js', ...OF_RECORDS, ...OF_LISTS],
  },
  entity: {
    title: '`Entity`',
    goal: 36_000,
    uses: { restitch: 'Endpoint, Entity, RestEndpoint', 'restitch/react': HOOKS },
    without: ['rest/resource.js', 'kinds/Invalidate.js', ...OF_LISTS],
  },
  resource: {
    title: '`resource`, `useInfinite` and `useLive`',
    goal: 43_000,
    uses: {
      restitch: 'Endpoint, Entity, resource, RestEndpoint',
      'restitch/react': `${HOOKS}, useInfinite, useLive`,
    },
  },
}
/** Apps that are kept small too, but are no rows of the table. */
const OTHERS = {
  // `resource` above, with Vue.
  vue: {
    uses: {
      restitch: 'Endpoint, Entity, resource, RestEndpoint',
      'restitch/vue':
        'AsyncBoundary, createRestitch, useController, useDLE, useInfinite, useLive, useMutation, useSuspense',
    },
  },
  // The same with Angular, with Svelte and with Solid.
  angular: {
    uses: {
      restitch: 'Endpoint, Entity, resource, RestEndpoint',
      'restitch/angular': 'injectController, injectData, injectInfinite, injectLive, injectMutation, provideRestitch',
    },
  },
  svelte: {
    uses: {
      restitch: 'Endpoint, Entity, resource, RestEndpoint',
      'restitch/svelte': 'createData, createInfinite, createLive, createMutation, setRestitch, useController',
    },
  },
  solid: {
    uses: {
      restitch: 'Endpoint, Entity, resource, RestEndpoint',
      'restitch/solid':
        'AsyncBoundary, createData, createInfinite, createLive, createMutation, RestitchProvider, useController',
    },
  },
  // All that a page can use at once; React Native, servers and tests have entries of their own.
  everything: { uses: { restitch: '*', 'restitch/graphql': '*', 'restitch/react': '*', 'restitch/img': '*' } },
}
const APPS = { ...ROWS, ...OTHERS }
for (const [entry, { uses }] of Object.entries(ENTRIES)) {
  APPS[entry] = { uses: { ...ROWS.resource.uses, ...uses } }
}
const BUNDLERS = { vite: bundleWithVite, esbuild: bundleWithEsbuild }

const sizes = {}
const first = {}
for (const [app, { uses, without = [] }] of Object.entries(APPS)) {
  const file = writeApp(appOf(uses))
  sizes[app] = {}
  first[app] = {}
  for (const [bundler, bundle] of Object.entries(BUNDLERS)) {
    const { text, later, inputs = {} } = await bundle(file, { withPeers: false, splitting: true })
    first[app][bundler] = weigh(text)
    sizes[app][bundler] = first[app][bundler] + weigh(later)
    const own = app in FRAMEWORKS ? app : 'react'
    for (const stranger of ['@angular/core', 'react', 'solid-js', 'svelte', 'vue'].filter(
      (name) => !name.includes(own),
    )) {
      if (app !== 'everything' && `${text}${later}`.includes(`from"${stranger}"`)) {
        fault(`${bundler} loads ${stranger} in the app "${app}"`)
      }
    }
    for (const unused of without.filter((name) => inputs[`dist/${name}`]?.bytesInOutput > 0)) {
      fault(`the app "${app}" carries ${unused}, which it does not use`)
    }
  }
}

if (process.argv.includes('--record')) {
  record()
}
compare(JSON.parse(readFileSync(RECORD, 'utf8')))
const parts = process.argv.indexOf('--parts')
if (parts > 0) {
  await printParts(process.argv[parts + 1] ?? 'endpoint')
}

function weigh(text) {
  return text ? gzipSync(text, { level: 9 }).length : 0
}

function compare(recorded) {
  console.log(
    '\nBytes of an app with AsyncBoundary, DataProvider, useController, useDLE, useMutation and useSuspense, minified and gzipped,\n' +
      'without React. Each row has all that stands above it. The number is all that the page may load (first: what it loads at once).\n',
  )
  for (const [app, row] of Object.entries(sizes)) {
    for (const [bundler, size] of Object.entries(row)) {
      // An app that is new has no record yet.
      const before = recorded[app]?.[bundler] ?? size
      const most = Math.floor(before * (1 + ALLOWED_GROWTH))
      const goal = bundler === 'vite' && APPS[app].goal
      console.log(
        [
          app.padEnd(11),
          bundler.padEnd(8),
          `${String(size).padStart(6)} bytes (first ${first[app][bundler]}; `,
          `${size < before ? '' : '+'}${size - before}), at most ${most}`,
          goal ? `, goal ${goal}${size > goal ? `: ${size - goal} over` : ': met'}` : '',
          size > most ? ': TOO LARGE' : '',
        ].join(''),
      )
      if (size > most) {
        process.exitCode = 1
      }
    }
  }
  for (const bundler of Object.keys(BUNDLERS)) {
    for (const [app, name] of Object.entries(FRAMEWORKS)) {
      const more = sizes[app][bundler] - sizes.resource[bundler]
      if (more > MORE_THAN_REACT) {
        fault(`${bundler}: an app with ${name} is ${more} bytes larger than the same with React`)
      }
    }
  }
  for (const [entry, { most, goal }] of Object.entries(ENTRIES)) {
    const more = sizes[entry].vite - sizes.resource.vite
    console.log(
      `restitch/${entry} adds ${more} bytes (vite), at most ${most}, goal ${goal}: ${more > goal ? `${more - goal} over` : 'met'}`,
    )
    if (more > most) {
      fault(`restitch/${entry} adds ${more} bytes to an app`)
    }
  }
  for (const page of PAGES) {
    const text = readFileSync(page, 'utf8')
    if (text !== withSizes(text, recorded, page)) {
      fault(`${page} does not show the sizes of ${RECORD}: npm run size -- --record`)
    }
  }
}

function record() {
  writeFileSync(RECORD, `${JSON.stringify(sizes, null, 2)}\n`)
  for (const page of PAGES) {
    writeFileSync(page, withSizes(readFileSync(page, 'utf8'), sizes, page))
  }
  console.log(`recorded in ${RECORD}, ${PAGES.join(' and ')}`)
}

/** The page with these sizes in the rows of its table: `| title | 40 kB |`. */
function withSizes(page, all, name) {
  for (const [app, { title }] of Object.entries(ROWS)) {
    const row = page.split('\n').find((line) => line.includes(`${title} |`) && line.endsWith(' kB |'))
    if (!row) {
      fault(`${name} has no row "${title}"`)
      continue
    }
    page = page.replace(row, row.replace(/\d+ kB/, `${Math.round((all[app]?.vite ?? 0) / 1000)} kB`))
  }
  return page
}

function fault(text) {
  console.error(text)
  process.exitCode = 1
}

function appOf(uses) {
  const lines = Object.entries(uses).map(([entry, names], at) =>
    names === '*'
      ? `import * as entry${at} from '${entry}'; globalThis.used${at} = entry${at}`
      : `import { ${names} } from '${entry}'; globalThis.used${at} = [${names}]`,
  )
  return lines.join('\n')
}

// gzip works on the whole, so a part's cost is its share of the minified text.
async function printParts(app) {
  const { text, inputs } = await bundleWithEsbuild(writeApp(appOf(APPS[app].uses)), { withPeers: false })
  const whole = weigh(text)
  const files = Object.entries(inputs)
    .filter(([file]) => file.startsWith('dist/'))
    .map(([file, { bytesInOutput }]) => [file.slice('dist/'.length), bytesInOutput])
  const folders = new Map()
  for (const [file, bytes] of files) {
    const folder = `${file.split('/')[0]}/`
    folders.set(folder, (folders.get(folder) ?? 0) + bytes)
  }
  console.log(
    `\nThe app "${app}", by part (esbuild: ${text.length} bytes minified, ${whole} gzipped)\n  minified   gzipped, about`,
  )
  for (const [part, bytes] of [...folders, ['', 0], ...files.toSorted((a, b) => b[1] - a[1])]) {
    if (bytes > 0) {
      const share = Math.round((bytes * whole) / text.length)
      console.log(`  ${String(bytes).padStart(8)}  ${String(share).padStart(8)}  ${part}`)
    }
  }
}
