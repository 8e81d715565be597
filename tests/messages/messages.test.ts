import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { part } from '../effort.ts'

// The messages of the compiler for common mistakes. The text is as much part of the product as that of an error at
// run time: it shows the shape that was wanted, or the name that was meant, and no helper type of ours.

const START = `
import { Collection, Entity, resource, RestEndpoint } from 'restitch'
import { createFixture } from 'restitch/mock'
import { count, first, groupBy, query, sortBy, sum, where } from 'restitch/query'
import { useDLE, useInfinite, useQuery, useSuspense } from 'restitch/react'
class User extends Entity { id = ''; name = ''; static override key = 'User' }
const Users = resource({ path: '/users/:id', schema: User })
const Posts = resource({ path: '/posts/:id', schema: User, body: {} as { name: string; age: number } })
class Task extends Entity { id = ''; state: 'open' | 'closed' = 'open'; static override key = 'Task' }
const Sorted = resource({ path: '/tasks/:id', schema: Task, searchParams: {} as { group: string; sort?: 'new' | 'old' } })
const getUser = new RestEndpoint({ path: '/users/:id', schema: User })
const getUsers = new RestEndpoint({ path: '/users', schema: new Collection([User]) })
const create = new RestEndpoint({ path: '/users', method: 'POST', body: {} as { name: string; age: number } })
`

const CASES = [
  {
    title: 'TY-1 a missing parameter',
    code: 'getUser({})',
    says: [`Property 'id' is missing in type '{}' but required in type '{ id: string | number; }'.`],
  },
  {
    title: 'TY-1 a misspelt parameter',
    code: 'getUser({ idd: 5 })',
    says: [`'idd' does not exist in type '{ id: string | number; }'.`],
  },
  {
    title: 'TY-2 no argument at all',
    code: 'getUser()',
    says: ['Expected 1 arguments, but got 0.'],
  },
  {
    title: 'TY-1 a missing parameter beside an optional one',
    code: `new RestEndpoint({ path: '/users/:id{/:tab}' })({ tab: 1 })`,
    says: [
      `Property 'id' is missing in type '{ tab: number; }' but required in type '{ id: string | number; tab?: string | number | undefined; }'.`,
    ],
  },
  {
    title: 'TY-3 a misspelt query parameter',
    code: `new RestEndpoint({ path: '/users/:id', searchParams: {} as { tab?: string } })({ id: 1, tba: '' })`,
    says: [`'tba' does not exist in type '{ tab?: string | undefined; id: string | number; }'.`],
  },
  {
    title: 'TY-4 a wrong type in the body',
    code: 'create({ name: 5 })',
    says: [`Type 'number' is not assignable to type 'string'.`],
  },
  {
    title: 'TY-4 a misspelt field of the body',
    code: `create({ nam: '' })`,
    says: [
      `Object literal may only specify known properties, but 'nam' does not exist in type '{ name: string; age: number; }'. Did you mean to write 'name'?`,
    ],
  },
  {
    title: 'TY-6 a schema with content that has none',
    code: `new RestEndpoint({ path: '/file', content: 'blob', schema: User })`,
    says: [
      `Property 'reason' is missing in type 'typeof User' but required in type 'NoSchema<"content 'blob' cannot be normalised; leave the schema out or set it to undefined">'.`,
    ],
  },
  {
    title: 'TY-6 the schema of the parent with content that has none',
    code: `getUser.extend({ content: 'text' })`,
    says: [
      `Property 'schema' is missing in type '{ content: "text"; }' but required in type '{ readonly schema: undefined; }'.`,
    ],
  },
  {
    title: 'URL-16 a broken template',
    code: `new RestEndpoint({ path: '/users/{:id' })`,
    says: [`Type 'string' is not assignable to type 'BrokenPath<"\\"{\\" is not closed">'.`],
  },
  {
    title: 'URL-15 a wildcard that is not the last',
    code: `getUser.extend({ path: '/files/*path/raw' })`,
    says: [`Type 'string' is not assignable to type 'BrokenPath<"a *wildcard must come last">'.`],
  },
  {
    title: 'RE-1 a misspelt option',
    code: `new RestEndpoint({ path: '/users', dataExpiryLenght: 5 })`,
    says: [`'dataExpiryLenght' does not exist in type`, `Did you mean to write 'dataExpiryLength'?`],
  },
  {
    title: 'RE-1 a misspelt option that would give a type',
    code: `new RestEndpoint({ path: '/users', metod: 'POST' })`,
    says: [`'metod' does not exist in type`, `Did you mean to write 'method'?`],
  },
  {
    title: 'EXT-1 a misspelt option of extend',
    code: `getUser.extend({ pollFrequncy: 5 })`,
    says: [`'pollFrequncy' does not exist in type`, `Did you mean to write 'pollFrequency'?`],
  },
  ...[
    `new RestEndpoint({ path: '/users', channel: 'ticker' })`,
    `getUser.extend({ channel: 'ticker' })`,
    `resource({ path: '/users/:id', schema: User, channel: 'ticker' })`,
    `Users.extend({ getList: { channel: 'ticker' } })`,
    `Users.extend('get', { channel: 'ticker' })`,
  ].map((code) => ({
    title: `RE-1 an option that does not exist: ${code}`,
    code,
    says: [`'channel' does not exist in type`, 'put members of your own into extra'],
  })),
  {
    title: 'EXT-4 an extender without a Collection',
    code: `getUser.push({ id: 5 }, {})`,
    says: [`Type 'NoMember<"push">' has no call signatures.`],
  },
  {
    title: 'EXT-7 a page without paginationField',
    code: `getUsers.getPage({ page: 2 })`,
    says: [`Cannot invoke an object which is possibly 'undefined'.`],
  },
  {
    title: 'EXT-8 a page that is not named',
    code: `getUsers.paginated('cursor')({})`,
    says: [`Property 'cursor' is missing in type '{}' but required in type '{ readonly cursor: string | number; }'.`],
  },
  {
    title: 'PAG-4 a number that is not beside the list',
    code: `getUsers.extend({ schema: { users: new Collection([User], { counts: ['total'] }), count: 0 } })`,
    says: [`'NoSchema<"counts names \\"total\\", which is no number beside the list">'`],
  },
  {
    title: 'TY-1 a missing parameter of a resource',
    code: 'Users.get({})',
    says: [`Property 'id' is missing in type '{}' but required in type '{ id: string | number; }'.`],
  },
  {
    title: 'TY-1 a misspelt parameter of a resource',
    code: 'Users.delete({ idd: 5 })',
    says: [`'idd' does not exist in type '{ id: string | number; }'.`],
  },
  {
    title: 'TY-9 a wrong field of the body of a resource',
    code: `Users.update({ id: 5 }, { nam: '' })`,
    says: [
      `'nam' does not exist in type 'FormData | { readonly id?: string | number | undefined; readonly name?: string | undefined; }'.`,
    ],
  },
  {
    title: 'TY-9 a wrong type in the body of a resource',
    code: `Users.partialUpdate({ id: 5 }, { name: true })`,
    says: [`Type 'boolean' is not assignable to type 'string'.`],
  },
  {
    title: 'RES-6 a wrong field of the declared body of a resource',
    code: `Posts.update({ id: 5 }, { nam: '', age: 5 })`,
    says: [
      `Object literal may only specify known properties, but 'nam' does not exist in type '{ name: string; age: number; }'. Did you mean to write 'name'?`,
    ],
  },
  {
    title: 'RES-6 a missing field of the declared body of create',
    code: `Posts.create({}, { name: '' })`,
    says: [
      `Property 'age' is missing in type '{ name: string; }' but required in type '{ name: string; age: number; }'.`,
    ],
  },
  {
    title: 'RES-5 a misspelt option of resource()',
    code: `resource({ path: '/users/:id', schema: User, urlPrefx: '/api' })`,
    says: [`'urlPrefx' does not exist in type`, `Did you mean to write 'urlPrefix'?`],
  },
  {
    title: 'RES-5 a misspelt option of resource() that would give a type',
    code: `resource({ path: '/users/:id', schema: User, searchParam: {} })`,
    says: [`'searchParam' does not exist in type`, `Did you mean to write 'searchParams'?`],
  },
  {
    title: 'REX-2 a member that is not there',
    code: `Users.extend({ getLst: { path: '/people' } })`,
    says: [`Property 'reason' is missing in type '{ path: "/people"; }' but required in type 'NotAMember<"getLst">'.`],
  },
  {
    title: 'REX-2 a misspelt option of a member',
    code: `Users.extend({ getList: { pollFrequncy: 5 } })`,
    says: [`'pollFrequncy' does not exist in type`, `Did you mean to write 'pollFrequency'?`],
  },
  {
    title: 'HK-3 a missing parameter in a hook',
    code: 'useSuspense(getUser, {})',
    says: [`Property 'id' is missing in type '{}' but required in type '{ id: string | number; }'.`],
  },
  {
    title: 'HK-3 a misspelt parameter in a hook',
    code: 'useDLE(getUser, { idd: 5 })',
    says: [`'idd' does not exist in type '{ id: string | number; }'.`],
  },
  {
    title: 'HK-3 a parameter that may be missing',
    code: 'useSuspense(Users.get, { id: undefined as string | undefined })',
    says: [`Type 'undefined' is not assignable to type 'string | number'.`],
  },
  {
    title: 'TY-10 a misspelt query parameter in a hook',
    code: `useSuspense(Sorted.getList, { group: 'g', srot: 'new' })`,
    says: [`'srot' does not exist in type '{ group: string; sort?: "`],
  },
  {
    title: 'TY-11 a misspelt literal in an optimistic response',
    code: `new RestEndpoint({ path: '/x/:id', method: 'POST', body: undefined, schema: Task, getOptimisticResponse: (_, { id }) => ({ id, state: 'klosed' }) })`,
    says: [`Did you mean '"closed"'?`],
  },
  {
    title: 'TY-19 a misspelt field in an optimistic response',
    code: `new RestEndpoint({ path: '/x/:id', method: 'POST', body: undefined, schema: Task, getOptimisticResponse: (_, { id }) => ({ id, staet: 'closed' }) })`,
    says: [`Types of property 'staet' are incompatible. Type '"closed"' is not assignable to type`],
  },
  {
    title: 'TY-20 a process whose result cannot be stored',
    code: `new RestEndpoint({ path: '/x/:id', schema: Task, process: () => 5 })`,
    says: [`Type 'number' is not assignable to type 'NoData<"a record is an object">'.`],
  },
  {
    title: 'TY-21 pages of a list that has none',
    code: 'useInfinite(Users.getList)',
    says: [
      `is not assignable to parameter of type 'PagedEndpoint'.`,
      `Types of property 'paginationField' are incompatible. Type 'undefined' is not assignable to type 'string'.`,
    ],
  },
  {
    title: 'TY-22 a record that is not named',
    code: 'useQuery(User, {})',
    says: [`required in type 'NoField<"name at least one field of the record">'.`],
  },
  {
    title: 'TST-17 a misspelt field of a fixture',
    code: `createFixture({ endpoint: getUser, args: [{ id: 5 }], response: { id: '5', nmae: '' } })`,
    says: [`'nmae' does not exist in type`],
  },
  {
    title: 'TY-13 a path parameter that the arguments of a page drop',
    code: `new RestEndpoint({ path: '/teams/:team', schema: new Collection([User]) }).paginated(({ cursor, ...rest }: { cursor: string }) => [rest])`,
    says: [`Property 'team' is missing in type '{}' but required in type '{ team: string | number; }'.`],
  },
  {
    title: 'HK-3 no argument at all in a hook',
    code: 'useSuspense(getUser)',
    says: ['Expected 2 arguments, but got 1.'],
  },
  {
    title: 'HK-5 a mutation in a hook that reads',
    code: 'useSuspense(Users.delete, { id: 5 })',
    says: [
      `is not assignable to parameter of type 'ReadEndpoint'. Types of property 'sideEffect' are incompatible. Type 'true' is not assignable to type 'false'.`,
    ],
  },
  {
    title: 'HK-3 a field that the Entity does not have',
    code: 'useQuery(User, { idd: 5 })',
    says: [`'idd' does not exist in type`],
  },
  {
    title: 'QUE-2 a misspelt field in a condition of a live query',
    code: `query(Task, where((task) => task.staet === 'open'))`,
    says: [`Property 'staet' does not exist on type 'Task'.`],
  },
  {
    title: 'QUE-15 an object as a sort key',
    code: 'query(Task, sortBy((task) => [task]))',
    says: [`is not assignable to type 'SortKey'.`],
  },
  {
    title: 'QUE-17 a missing argument of a live query',
    code: `useQuery(query(User, where((user, { text }: { text: string }) => user.name.includes(text))))`,
    says: [`is not assignable to type 'readonly [{ text: string; }]'. Source has 0 element(s) but target requires 1.`],
  },
  {
    title: 'QUE-17 a misspelt argument of a live query',
    code: `useQuery(query(User, where((user, { text }: { text: string }) => user.name.includes(text))), { texd: '' })`,
    says: [`'texd' does not exist in type '{ text: string; }'.`],
  },
  {
    title: 'QUE-6 an operator after first()',
    code: `query(Task, first(), where((task) => task.state === 'open'))`,
    says: [`Property 'state' does not exist on type 'NoRecords<"first() returns one record: nothing can follow it">'.`],
  },
  {
    title: 'QUE-18 a sum of text',
    code: 'query(User, sum((user) => user.name))',
    says: [`Type 'string' is not assignable to type 'number'.`],
  },
  {
    title: 'QUE-21 a misspelt total of a group',
    code: `query(query(Task, groupBy((task) => task.state), { tasks: count() }), where((group) => group.taks > 5))`,
    says: [`Property 'taks' does not exist on type '{ readonly key: "`, `readonly tasks: number; }'.`],
  },
  {
    title: 'QUE-21 a query that returns one value as an input',
    code: 'query(query(Task, count()), where((task) => task.id))',
    says: [`Property 'id' does not exist on type 'NoRecords<"the input is one value, without records">'.`],
  },
]

/** Types that mean nothing to a user. */
const HELPERS = /\b(NullableArgs|DataOf|Typed|Names|Refused|Merge|Flat|Args|Params|Own|None|Wire|Get)\b/

const ROOT = resolve(import.meta.dirname, '../..')
const WORK = join(ROOT, '.cache/messages')
const COMPILERS = [
  ['7.0', compile],
  ['5.4', compileInProcess],
] as const
const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  customConditions: ['restitch-source'],
}

// A release asks both compilers: the older one takes much longer.
describe.each(part(COMPILERS, 2))('TypeScript %s', (_version, compileCases) => {
  let said: Map<string, string>
  beforeAll(() => {
    said = compileCases(writeCases())
  })

  test.each(CASES.map(({ title, says }, index) => [title, index, says] as const))('%s', (_title, index, says) => {
    const message = said.get(`case${index}.ts`)
    for (const text of says) {
      expect(message).toContain(text)
    }
    expect(message).not.toMatch(HELPERS)
  })
})

function writeCases(): string[] {
  rmSync(WORK, { recursive: true, force: true })
  mkdirSync(WORK, { recursive: true })
  writeFileSync(join(WORK, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }))
  return CASES.map(({ code }, index) => {
    const file = join(WORK, `case${index}.ts`)
    writeFileSync(file, `${START}${code}\n`)
    return file
  })
}

/** The message of the compiler for each case, in one line. */
function compile(): Map<string, string> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', WORK, '--pretty', 'false'], { encoding: 'utf8' })
  const said = new Map<string, string>()
  for (const block of stdout.split(/\n(?=\S)/)) {
    const [, name = '', text = ''] = /(case\d+\.ts)\(\d+,\d+\): error TS\d+: (.*)/s.exec(block) ?? []
    said.set(name, `${said.get(name) ?? ''}${text.replaceAll(/\s+/g, ' ')} `)
  }
  return said
}

/** The same with the interface for programs, which later compilers do not have: it checks the cases alone, and not the sources, too. */
function compileInProcess(files: string[]): Map<string, string> {
  const ts = createRequire(join(ROOT, 'tests/types-5.4/package.json'))('typescript')
  const program = ts.createProgram(files, ts.convertCompilerOptionsFromJson(OPTIONS, WORK).options)
  return new Map(
    files.map((file) => {
      const texts = program
        .getSemanticDiagnostics(program.getSourceFile(file))
        .map(({ messageText }: { messageText: unknown }) => ts.flattenDiagnosticMessageText(messageText, ' '))
      return [basename(file), texts.join(' ').replaceAll(/\s+/g, ' ')]
    }),
  )
}
