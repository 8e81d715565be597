// The lock files have to serve every platform and name no registry.
// npm drops a platform package that is not published from the lock without a word, and `npm ci` fails on the next machine.
import { readFileSync } from 'node:fs'

const faults = []
for (const file of [
  '',
  'tests/types-5.4/',
  'tests/typescript/',
  'tests/react18/',
  'tests/vue34/',
  'tests/preact/',
  'tests/compiler/',
  'tests/bundlers/',
  'tests/jest/',
  'tests/msw/',
  'tests/peer/',
  'tests/mutation/',
  'tests/node/',
  'tests/servers/',
  'bench/',
  'bench/typecost/',
  'demo/',
  'docs/',
  'examples/',
  'examples/angular/',
  'examples/nextjs/',
  'examples/nuxt/',
  'examples/react-router-ssr/',
  'examples/solidstart/',
  'examples/sveltekit/',
  'migrate/',
  'openapi/',
  'eslint/',
  'openapi/tests/descriptions/',
].map((folder) => `${folder}package-lock.json`)) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'))
  for (const [path, entry] of Object.entries(packages)) {
    if (/^https?:/.test(entry.resolved ?? '')) {
      faults.push(`${file}: ${path} names a registry; see .npmrc`)
    }
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!findEntry(packages, path, name)) {
        faults.push(`${file}: ${path || 'the package'} lacks its optional ${name}`)
      }
    }
  }
}
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const [name, version] of Object.entries(devDependencies)) {
  if (!/^\d/.test(version)) {
    faults.push(`package.json: ${name} is not pinned to one version (${version})`)
  }
}

if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
console.log('every platform package is there')

// Looks where Node would: beside the package's own modules, then in each folder above.
function findEntry(packages, path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const found = packages[`${at && `${at}/`}node_modules/${name}`]
    if (found || at === '') {
      return found
    }
  }
}
