import { isFull } from './tests/effort.ts'
import { svelte } from './tests/svelte/compile.ts'
import { defaultServerConditions } from 'vite'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The source condition of package.json leads `restitch` to src/, so tests import it as a user does and no build comes first.
const conditions = ['restitch-source', ...defaultServerConditions]
const SIGNALS = [
  'restitch-source',
  'browser',
  'development',
  ...defaultServerConditions.filter((one) => one !== 'node'),
]

// They replace a timer before React is loaded, which keeps it, or all timers and promises.
const ALONE = ['tests/react/sessions.test.ts', 'tests/angular/zone.test.ts']
// The files with a DOM.
const DOM = [
  'src/{img,test}/*.test.ts',
  'tests/{angular,react,vue}/*.test.ts',
  'tests/ssr/{hydrate,next}.test.ts',
  'tests/{autosave,guideRecipes,guides,learn,quickStart,readme,test}.test.ts',
  'tests/walk.test.tsx',
]

/** A process is only used again for the next file if that has the same environment. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification): number => (project.name === 'dom' ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // They need a browser, an older React or Vue, or much time: each has a config of its own.
    exclude: [
      ...configDefaults.exclude,
      'tests/react/chromium/**',
      'tests/react18/**',
      'tests/vue34/**',
      'tests/simulator/planted.test.ts',
      'tests/messages/editor.test.ts',
      'tests/msw.test.ts',
      // tests/learn.test.ts runs the same apps without a browser.
      ...(isFull ? [] : ['tests/browser/learn.test.ts']),
    ],
    setupFiles: ['tests/seed.ts', 'tests/patience.ts', 'tests/invariants.ts'],
    maxWorkers: 2,
    // For tests that hang: on a busy machine a test may take a minute. Waiting in a test has a limit of its own.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    sequence: { sequencer: ByProject },
    // One process for all files of a worker: to start one for each, with React and a DOM, costs more than most of them take.
    // tests/seed.ts drops the modules of the file before.
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'dom', include: DOM, exclude: ALONE, isolate: false } },
      {
        extends: true,
        plugins: [svelte()],
        // Node would get the modules of Solid and Svelte for servers.
        resolve: { conditions: SIGNALS },
        ssr: { resolve: { conditions: SIGNALS } },
        test: {
          name: 'signals',
          include: ['tests/{solid,svelte}/*.test.ts'],
          server: { deps: { inline: [/solid-js/, /svelte/] } },
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          include: ['{src,tests}/**/*.test.ts'],
          exclude: [...ALONE, ...DOM, 'tests/{solid,svelte}/**'],
          isolate: false,
        },
      },
    ],
  },
})
export default config
