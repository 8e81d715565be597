// Prints what the package costs in a browser, minified and gzipped, and fails when it has grown by more than 2 %.
// Chunks that are imported later stand in parentheses and are not counted, nor are React and Vue. `--record` writes the sizes that later runs are compared with;
// `--parts` prints the cost of each folder and file of a typical app.
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { bundleWithEsbuild, bundleWithVite, writeApp } from './bundle.mjs'

const RECORD = 'scripts/size.json'
const ALLOWED_GROWTH = 0.02
const APPS = {
  minimal: { restitch: 'Entity, resource', 'restitch/react': 'DataProvider, useController, useSuspense' },
  typical: {
    restitch: 'Entity, resource',
    'restitch/react':
      'AsyncBoundary, DataProvider, getDefaultManagers, useController, useDLE, useFetch, useQuery, useSuspense',
  },
  vue: { restitch: 'Entity, resource', 'restitch/vue': 'createRestitch, useController, useSuspense' },
  // All that a page can use at once; React Native, servers and tests have entries of their own.
  everything: { restitch: '*', 'restitch/graphql': '*', 'restitch/react': '*', 'restitch/img': '*' },
}
/** Bytes that a minimal app with Vue may have more than one with React. */
const MORE_IN_VUE = 1_000
const BUNDLERS = { vite: bundleWithVite, esbuild: bundleWithEsbuild }

const sizes = {}
const later = {}
for (const [app, uses] of Object.entries(APPS)) {
  const file = writeApp(appOf(uses))
  sizes[app] = {}
  later[app] = {}
  for (const [bundler, bundle] of Object.entries(BUNDLERS)) {
    const bundled = await bundle(file, { withPeers: false, splitting: true })
    sizes[app][bundler] = gzipSync(bundled.text, { level: 9 }).length
    later[app][bundler] = bundled.later ? gzipSync(bundled.later, { level: 9 }).length : 0
    const stranger = { vue: 'react', minimal: 'vue' }[app]
    if (stranger && bundled.text.includes(`from"${stranger}"`)) {
      console.error(`${bundler} loads ${stranger} in the app "${app}"`)
      process.exitCode = 1
    }
    if (app === 'vue' && sizes.vue[bundler] > sizes.minimal[bundler] + MORE_IN_VUE) {
      console.error(
        `${bundler}: a minimal app with Vue is ${sizes.vue[bundler] - sizes.minimal[bundler]} bytes larger than one with React`,
      )
      process.exitCode = 1
    }
  }
}

if (process.argv.includes('--record')) {
  writeFileSync(RECORD, `${JSON.stringify(sizes, null, 2)}\n`)
  console.log(`recorded in ${RECORD}`)
}
compare(JSON.parse(readFileSync(RECORD, 'utf8')))
if (process.argv.includes('--parts')) {
  await printParts()
}

function compare(recorded) {
  for (const [app, row] of Object.entries(sizes)) {
    for (const [bundler, size] of Object.entries(row)) {
      const before = recorded[app]?.[bundler] ?? 0
      const limit = Math.floor(before * (1 + ALLOWED_GROWTH))
      const isOver = size > limit
      const change = `${size < before ? '' : '+'}${size - before}`
      console.log(
        `${app.padEnd(11)}${bundler.padEnd(8)}${String(size).padStart(6)} bytes (+ ${later[app][bundler]} later; ${change}), at most ${limit}${isOver ? ': too large' : ''}`,
      )
      if (isOver) {
        process.exitCode = 1
      }
    }
  }
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
async function printParts() {
  const { text, inputs } = await bundleWithEsbuild(writeApp(appOf(APPS.typical)), { withPeers: false })
  const whole = gzipSync(text, { level: 9 }).length
  const files = Object.entries(inputs)
    .filter(([file]) => file.startsWith('dist/'))
    .map(([file, { bytesInOutput }]) => [file.slice('dist/'.length), bytesInOutput])
  const folders = new Map()
  for (const [file, bytes] of files) {
    const folder = `${file.split('/')[0]}/`
    folders.set(folder, (folders.get(folder) ?? 0) + bytes)
  }
  console.log(
    `\nA typical app, by part (esbuild: ${text.length} bytes minified, ${whole} gzipped)\n  minified   gzipped, about`,
  )
  for (const [part, bytes] of [...folders, ['', 0], ...files.toSorted((a, b) => b[1] - a[1])]) {
    if (bytes > 0) {
      const share = Math.round((bytes * whole) / text.length)
      console.log(`  ${String(bytes).padStart(8)}  ${String(share).padStart(8)}  ${part}`)
    }
  }
}
