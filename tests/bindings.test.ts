// Bindings are made of what `restitch/binding` exports, so that a binding outside of this package can do the same.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'

interface Import {
  readonly file: string
  readonly isType: boolean
}

const IMPORT = /^(?:import|export) (type )?\{([^}]*)\} from '(\.[^']+)'/gm

/** The imports of a file from others, as `file#name`. */
function importsOf(file: string): Map<string, Import> {
  const found = new Map<string, Import>()
  for (const [, isType, list = '', from = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    for (const one of list.split(',').map((name) => name.trim())) {
      const name = one.replace(/^type /, '').split(' as ')[0]!
      if (name !== '') {
        const target = posix.join(posix.dirname(file), from)
        found.set(`${target}#${name}`, { file, isType: isType !== undefined || one.startsWith('type ') })
      }
    }
  }
  return found
}

function namesIn(file: string): string[] {
  return [...importsOf(file).keys()]
}

const binding = importsOf('src/binding/index.ts')
const isPublic = new Set([...binding.keys(), ...['src/index.ts', 'src/mock/index.ts'].flatMap(namesIn)])

/** The files of a binding. Entries only list exports, also of what has nothing to do with a framework. */
function filesOf(name: string): string[] {
  const entries = new Set(['index', 'native', 'ssr', 'test', 'nextjs'].map((entry) => `src/${name}/${entry}.ts`))
  return readdirSync(`src/${name}`, { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${name}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !file.includes('.test') && !entries.has(file))
}

const BINDINGS = ['angular', 'react', 'solid', 'svelte', 'vue']

describe.each(BINDINGS)('%s', (name) => {
  const files = filesOf(name)

  test('imports nothing of the heart that an app cannot import', () => {
    const hidden = files.flatMap((file) =>
      namesIn(file).filter(
        (one) =>
          !one.startsWith('src/base/') &&
          !one.startsWith(`src/${name}/`) &&
          !one.startsWith('src/requests/actionTypes.ts') &&
          !isPublic.has(one),
      ),
    )
    expect(files.length).toBeGreaterThan(8)
    expect(hidden).toEqual([])
  })

  test('does not reach into the core of a Controller', () => {
    const found = files.filter((file) => /\.core\b|\{[^}]*\bcore\b[^}]*\} = /.test(readFileSync(file, 'utf8')))
    expect(found).toEqual([])
  })
})

test('each function of restitch/binding is used by a binding', () => {
  const used = new Set(BINDINGS.flatMap(filesOf).flatMap(namesIn))
  const unused = [...binding].filter(([name, { isType }]) => !isType && !used.has(name)).map(([name]) => name)
  // For pages and bindings of an app. Entries of bindings export these as they are.
  expect(unused).toEqual([
    'src/binding/createReader.ts#createReader',
    'src/binding/initialData.ts#awaitInitialData',
    'src/binding/initialData.ts#getInitialData',
    'src/binding/serverPage.ts#createServerRestitch',
  ])
})

/** The functions of a binding that an app calls, without the word with which its framework begins names. */
function hooksOf(name: string, word: string): string[] {
  return [...importsOf(`src/${name}/index.ts`)]
    .filter(([, { isType }]) => !isType)
    .map(([one]) => one.split('#')[1]!)
    .filter((one) => new RegExp(`^${word}[A-Z]`).test(one))
    .map((one) => one.slice(word.length))
    .sort()
}

test('Vue has each hook of React, and the table in its guide has a row for each', () => {
  const hooks = hooksOf('react', 'use')
  expect(hooks).toEqual(hooksOf('vue', 'use'))
  const [table] = /## React and Vue\n([\s\S]*?)\n- /.exec(readFileSync('docs/guide/vue.md', 'utf8'))!
  expect(hooks.filter((hook) => !table.includes(`\`use${hook}`))).toEqual([])
})

test('Svelte, Solid and Angular have the same functions', () => {
  const solid = hooksOf('solid', 'create')
  expect(hooksOf('svelte', 'create')).toEqual(solid)
  // The Controller has the name that React and Vue give it; Angular has a provider for servers.
  const angular = [...hooksOf('angular', 'inject'), 'ServerRestitch'].filter((hook) => hook !== 'Controller')
  expect(angular.sort()).toEqual(solid)
})
