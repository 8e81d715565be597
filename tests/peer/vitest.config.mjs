// Runs the public tests of a checkout of data-client with the names of this package. `run.mjs` says which.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const checkout = process.env.PEER_CHECKOUT
const files = process.env.PEER_FILES.split(',')
const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const PACKAGES = {
  core: 'core',
  'core/mock': 'coreMock',
  endpoint: 'rest',
  graphql: 'graphql',
  img: 'img',
  normalizr: 'rest',
  react: 'react',
  'react/mock': 'coreMock',
  'react/redux': 'redux',
  rest: 'rest',
  test: 'test',
  vue: 'vue',
  'vue/test': 'vueTest',
}
const VIRTUAL = '\0peer:'

const names = {
  name: 'peer-names',
  enforce: 'pre',
  async resolveId(id, importer) {
    if (/^restitch(\/|$)/.test(id)) {
      return join(root, exports[id.replace('restitch', '.')]['restitch-source'])
    }
    if (id.startsWith('@data-client/')) {
      return named(id.slice('@data-client/'.length))
    }
    if (id.startsWith('__tests__/')) {
      return fileOf(join(checkout, id))
    }
    if (id === '@jest/globals') {
      return join(here, 'globals.mjs')
    }
    if (!importer?.startsWith(checkout) || id.startsWith('\0')) {
      return null
    }
    if (!id.startsWith('.')) {
      // The tools are those of this package, or of this folder.
      return (await this.resolve(id, join(here, 'setup.mjs'), { skipSelf: true })) ?? null
    }
    const path = resolve(dirname(importer), id)
    const [, folder, inside = ''] = /^packages\/([^/]+)(?:\/src)?(?:\/(.+))?$/.exec(relative(checkout, path)) ?? []
    if (folder === undefined || /__tests__|fixtures/.test(inside)) {
      return fileOf(path)
    }
    const isTest = folder === 'vue' && inside.startsWith('test')
    return named(
      isTest ? 'vue/test' : folder,
      inside
        .split('/')
        .at(-1)
        .replace(/\.[cm]?[jt]sx?$/, ''),
    )
  },
  load(id) {
    if (!id.startsWith(VIRTUAL)) {
      return null
    }
    const [file, name] = id.slice(VIRTUAL.length).split('#')
    const path = JSON.stringify(join(here, `names/${file}.mjs`))
    return `import * as all from ${path}; export * from ${path}; export default all[${JSON.stringify(name)}] ?? all[${JSON.stringify(name.replace(/^[a-z]/, (first) => first.toUpperCase()))}]`
  },
  transform(code, id) {
    if (id === join(root, 'src/base/warn.ts')) {
      return `${code}\nglobalThis.peerForget = () => said.clear()`
    }
    if (!id.startsWith(checkout)) {
      return null
    }
    // Modules are loaded once: what a test requires is imported, and mocks of the insides are left out.
    const required = []
    const text = code
      .replace(/jest\.mock\('\.[^\n]*/g, '')
      .replaceAll('jest.mock(', 'vi.mock(')
      .replace(/\brequire\((['"]\.[^)]*)\)/g, (_, path) => `required${required.push(path)}`)
    return required.map((path, i) => `import * as required${i + 1} from ${path};`).join('') + text
  },
}

function named(id, name = '') {
  const file = PACKAGES[id]
  return file && `${VIRTUAL}${file}#${name}`
}

function fileOf(path) {
  const isFile = (one) => existsSync(one) && statSync(one).isFile()
  return ['', '.ts', '.tsx', '.js', '/index.ts'].map((end) => path.replace(/\.js$/, '') + end).find(isFile)
}

const conditions = ['restitch-source', 'node', 'import', 'module', 'default']
export default defineConfig({
  root: checkout,
  plugins: [names],
  server: { fs: { strict: false } },
  resolve: { conditions, dedupe: ['react', 'react-dom', 'vue'] },
  ssr: { resolve: { conditions } },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    dir: checkout,
    globals: true,
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://localhost' } },
    setupFiles: [join(here, 'setup.mjs')],
    snapshotFormat: { printBasicPrototype: false, escapeString: false },
    maxWorkers: 2,
    testTimeout: 30_000,
    reporters: ['json'],
    outputFile: join(root, '.cache/peer.json'),
    projects: ['dom', 'node'].map((name) => ({
      extends: true,
      test: {
        name,
        environment: name === 'dom' ? 'happy-dom' : 'node',
        include: files
          .filter((file) => file.includes('.node.') === (name === 'node'))
          .map((file) => join(checkout, file)),
      },
    })),
  },
})
