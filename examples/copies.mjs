// Each app stands alone, so it has its own copy of what the apps share, and a package.json with the same versions: `node examples/copies.mjs` writes
// them, and `npm test` compares them (tests/examples.test.ts).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const HERE = import.meta.dirname
/** They are started by Vite; the others have a framework of their own. */
export const APPS = ['crud', 'feed', 'github', 'react-router', 'solid', 'svelte', 'tanstack-router', 'ticker', 'vue']
export const FRAMEWORKS = ['angular', 'nextjs', 'nuxt', 'react-router-ssr', 'solidstart', 'sveltekit']
const SHARED = { 'api.ts': 'shared', 'config.ts': 'shared', 'style.css': 'shared', 'tsconfig.json': '.' }

/** The path and the text of each copy. */
export function* readCopies() {
  const { dependencies, devDependencies, overrides } = readJson('package.json')
  const { version } = readJson('../package.json')
  const versions = { ...dependencies, ...devDependencies, restitch: `^${version}` }
  const withVersions = (names) => Object.fromEntries(Object.keys(names).map((name) => [name, versions[name]]))
  for (const app of APPS) {
    for (const [name, folder] of Object.entries(SHARED)) {
      yield [join(app, folder, name), readFileSync(join(HERE, 'shared', name), 'utf8')]
    }
    const own = readJson(join(app, 'package.json'))
    yield [
      join(app, 'package.json'),
      toText({
        ...own,
        dependencies: withVersions(own.dependencies),
        devDependencies: withVersions(own.devDependencies),
        overrides,
      }),
    ]
  }
  for (const app of FRAMEWORKS) {
    const own = readJson(join(app, 'package.json'))
    const restitch = versions.restitch
    yield [join(app, 'package.json'), toText({ ...own, dependencies: { ...own.dependencies, restitch } })]
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(join(HERE, path), 'utf8'))
}

function toText(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [path, text] of readCopies()) {
    mkdirSync(dirname(join(HERE, path)), { recursive: true })
    writeFileSync(join(HERE, path), text)
  }
}
