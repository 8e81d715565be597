import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type * as Compiler from '../types-5.4/node_modules/typescript/lib/typescript.js'
import { beforeAll, describe, expect, test } from 'vitest'

// Completions and hovers in an editor. TypeScript 7 has no API for
// that yet, so the language service is that of the oldest version we support.

const ts = createRequire(resolve('tests/types-5.4/package.json'))('typescript') as typeof Compiler
const FILE = resolve('tests/messages/editor-page.ts')

const START = `
import { Collection, Controller, Entity, resource, RestEndpoint, Union } from 'restitch'
import { useDLE, useSuspense } from 'restitch/react'
class User extends Entity { id = ''; name = ''; static override key = 'User' }
class Task extends Entity { id = ''; title = ''; state: 'open' | 'closed' = 'open'; static override key = 'Task' }
const Users = resource({ path: '/users/:id', schema: User })
const Tasks = resource({ path: '/tasks/:id', schema: Task, searchParams: {} as { group: string; sort?: 'new' | 'old' }, body: {} as { title: string; due?: string } })
const getFile = new RestEndpoint({ path: '/:owner/:repo{/:branch}' })
const More = Users.extend('me', { path: '/me' })
const getPage = new RestEndpoint({ path: '/pages/:group', schema: { users: new Collection([User]), next: '' as string | null } })
declare const controller: Controller
declare const id: string | undefined
`

/** `|` marks the place. */
const COMPLETES: readonly (readonly [title: string, code: string, names: readonly string[]])[] = [
  ['TY-1 path parameters', 'getFile({ | })', ['branch', 'owner', 'repo']],
  ['TY-1 path parameters of a member', 'Users.get({ | })', ['id']],
  ['TY-10 path parameters in a hook', 'useSuspense(Users.get, { | })', ['id']],
  ['TY-10 path parameters in a hook that may be skipped', 'useSuspense(Users.get, id ? { | } : null)', ['id']],
  ['TY-10 query members in a hook', `useSuspense(Tasks.getList, { group: 'g', | })`, ['sort']],
  ['TY-10 query members in useDLE', 'useDLE(Tasks.getList, { | })', ['group', 'sort']],
  ['TY-10 the values of a query member', `useSuspense(Tasks.getList, { group: 'g', sort: '|' })`, ['new', 'old']],
  ['TY-4 body fields', 'Tasks.getList.push({ group: "g" }, { | })', ['due', 'title']],
  ['TY-4 body fields of controller.fetch', `controller.fetch(Tasks.update, { id: '5' }, { | })`, ['due', 'title']],
  [
    'TY-11 the values of a field in an optimistic response',
    `Tasks.get.extend({ method: 'POST', body: undefined, getOptimisticResponse: (_, { id }) => ({ id, state: '|' }) })`,
    ['closed', 'open'],
  ],
  ['TY-13 attributes of a Union', `new Union({ task: Task }, '|')`, ['id', 'state', 'title']],
  [
    'TY-15 members in a batch',
    'Users.extend({ | })',
    ['create', 'delete', 'get', 'getList', 'partialUpdate', 'update'],
  ],
  [
    'TY-15 members of an extended resource',
    'More.|',
    ['create', 'delete', 'extend', 'get', 'getList', 'me', 'partialUpdate', 'update'],
  ],
]

/** `|` stands behind the name that is pointed at. */
const HOVERS: readonly (readonly [title: string, code: string, text: string])[] = [
  ['a resource', 'Users|', 'const Users: Resource<{\n    path: "/users/:id";\n    schema: typeof User;\n}>'],
  [
    'an extended resource',
    'More|',
    'const More: ExtendedResource<Resource<{\n    path: "/users/:id";\n    schema: typeof User;\n}>, {\n    readonly me: RestInstance<{\n        path: "/me";\n        schema: typeof User;\n    }, unknown>;\n}>',
  ],
  ['a direct call', `const called| = Users.get({ id: 5 })`, 'const called: Promise<Json<User>>'],
  ['a direct call of a list', `const called| = Users.getList()`, 'const called: Promise<Json<User>[]>'],
  ['a fetch', `const fetched| = controller.fetch(Users.get, { id: 5 })`, 'const fetched: Promise<User>'],
  ['a hook', `const shown| = useSuspense(Users.getList)`, 'const shown: User[]'],
  [
    'a hook on an object schema',
    `const shown| = useSuspense(getPage, { group: 'g' })`,
    'const shown: {\n    users: User[];\n    next: string | null;\n}',
  ],
  ['a member that may be null', `const { next| } = useSuspense(getPage, { group: 'g' })`, 'const next: string | null'],
]

let service: Compiler.LanguageService
let text = ''
let version = 0

beforeAll(() => {
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      customConditions: ['restitch-source'],
    },
    resolve('.'),
  )
  service = ts.createLanguageService({
    getScriptFileNames: () => [FILE],
    getScriptVersion: (file) => (file === FILE ? String(version) : '0'),
    getScriptSnapshot: (file) => {
      const content = file === FILE ? text : ts.sys.readFile(file)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => resolve('.'),
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (file) => file === FILE || ts.sys.fileExists(file),
    readFile: (file) => (file === FILE ? text : ts.sys.readFile(file)),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
})

/** Opens a page with this code, and gives the place of its mark. */
function open(code: string): number {
  const place = START.length + code.indexOf('|')
  text = START + code.replace('|', '')
  version += 1
  return place
}

describe('completions', () => {
  test.each(COMPLETES)('%s', (_title, code, names) => {
    const found = service.getCompletionsAtPosition(FILE, open(code), {})
    expect(found?.entries.map(({ name }) => name).toSorted()).toEqual(names)
  })
})

describe('hovers', () => {
  test.each(HOVERS)('TY-15 %s', (_title, code, shown) => {
    const info = service.getQuickInfoAtPosition(FILE, open(code) - 1)
    expect(ts.displayPartsToString(info?.displayParts)).toBe(shown)
  })
})
