import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { run as runOpenapi } from '../../openapi/src/run.ts'
import { run } from '../src/run.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const FOLDER = here('../.cache/command')

const API = `export interface Todo { id: number; title: string; done: boolean; created_at: string }
async function request<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(\`https://api.test\${path}\`, init)
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}
export const getTodos = (done: boolean) => request<Todo[]>(\`/todos?done=\${done}\`)
export const getTodo = (id: number) => request<Todo>(\`/todos/\${id}\`)
export const addTodo = (body: { title: string }) => request<Todo>('/todos', { method: 'POST', body: JSON.stringify(body) })
export const saveTodo = ({ id, ...body }: { id: number; done: boolean }) =>
  request<Todo>(\`/todos/\${id}\`, { method: 'PATCH', body: JSON.stringify(body) })
export const archiveTodo = (id: number) => request<Todo>(\`/todos/\${id}/archive\`, { method: 'POST' })
export const removeTodo = (id: number) => request<void>(\`/todos/\${id}\`, { method: 'DELETE' })
`
const APP = `import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { addTodo, archiveTodo, getTodo, getTodos, removeTodo, saveTodo } from './api'

export function List() {
  const client = useQueryClient()
  const { data: todos = [], isPending } = useQuery({ queryKey: ['todos', false], queryFn: () => getTodos(false) })
  const add = useMutation({ mutationFn: addTodo, onSettled: () => client.invalidateQueries({ queryKey: ['todos'] }) })
  return isPending ? 'Loading' : todos.map(({ title }) => title).join() + String(add.isPending)
}

export function Detail({ id }: { id: number }) {
  const { data: todo } = useQuery({ queryKey: ['todos', id], queryFn: () => getTodo(id) })
  const add = useMutation({ mutationFn: addTodo })
  const save = useMutation({ mutationFn: saveTodo })
  const archive = useMutation({ mutationFn: archiveTodo })
  const remove = useMutation({ mutationFn: removeTodo })
  const onClick = async () => {
    await add.mutateAsync({ title: 'New' })
    save.mutate({ id, done: true })
    archive.mutate(id)
    remove.mutate(id)
  }
  return { title: todo?.title, onClick }
}
`
const DESCRIPTION = `openapi: 3.0.3
info: { title: Todos, version: '1' }
servers: [{ url: 'https://api.test' }]
paths:
  /todos:
    get: { parameters: [{ name: done, in: query, schema: { type: boolean } }], responses: { 200: { $ref: '#/components/responses/Todos' } } }
    post: { requestBody: { $ref: '#/components/requestBodies/Todo' }, responses: { 201: { $ref: '#/components/responses/Todo' } } }
  /todos/{todoId}:
    parameters: [{ name: todoId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { 200: { $ref: '#/components/responses/Todo' } } }
    patch: { requestBody: { $ref: '#/components/requestBodies/Todo' }, responses: { 200: { $ref: '#/components/responses/Todo' } } }
    delete: { responses: { 204: { description: Done } } }
  /todos/{todoId}/archive:
    parameters: [{ name: todoId, in: path, required: true, schema: { type: integer } }]
    post: { responses: { 200: { $ref: '#/components/responses/Todo' } } }
components:
  requestBodies:
    Todo: { content: { application/json: { schema: { type: object, properties: { title: { type: string }, done: { type: boolean } } } } } }
  responses:
    Todo: { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Todo' } } } }
    Todos: { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Todo' } } } } }
  schemas:
    Todo:
      type: object
      required: [id, title, done, created_at]
      properties: { id: { type: integer }, title: { type: string }, done: { type: boolean }, created_at: { type: string, format: date-time } }
`

let printed: string[] = []
beforeEach(() => {
  rmSync(FOLDER, { recursive: true, force: true })
  printed = []
})

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(FOLDER, name)), { recursive: true })
  writeFileSync(join(FOLDER, name), text)
}
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')
const context = {
  folder: FOLDER,
  print: (text: string) => void printed.push(text),
  warn: (text: string) => void printed.push(text),
}
const call = (...args: string[]): number => run(args, context)
const output = (): string => printed.join('\n')

test('--map takes the endpoints that restitch-openapi wrote, and the result compiles', async () => {
  write('openapi.yaml', DESCRIPTION)
  write('src/api.ts', API)
  write('src/App.tsx', APP)
  expect(await runOpenapi(['openapi.yaml', '--out', 'src/generated', '--map', 'urls.json'], context)).toBe(0)

  expect(call('tanstack-query', 'src/App.tsx', 'src/api.ts', '--map', 'urls.json'), output()).toBe(0)
  const app = read('src/App.tsx')
  expect(existsSync(join(FOLDER, 'src/resources.ts'))).toBe(false)
  expect(app).toContain(`import { Todos } from './generated/todos'`)
  expect(app).toContain('useDLE(Todos.getList, { done: false })')
  expect(app).toContain('useDLE(Todos.get, { id })')
  expect(app).toMatch(/useMutation\(Todos\.create\b/)
  expect(app).toContain('useMutation(Todos.partialUpdate)')
  expect(app).toContain('useMutation(Todos.archive')
  expect(app).toContain('useMutation(Todos.delete)')
  expect(app).not.toContain('@tanstack')
  expect(app).not.toMatch(/^ {4}const/m)
  expect(compile()).toBe('')
})

test.each([
  ['no library', [], 'The first word is the library: tanstack-query, swr, rtk-query, data-client'],
  ['another library', ['apollo', 'src'], 'The first word is the library'],
  ['no folder', ['swr'], 'The command needs a folder: restitch-migrate swr src/'],
  ['a folder that is not there', ['swr', 'nowhere'], 'nowhere'],
  ['an unknown option', ['swr', 'src', '--dryrun'], `Unknown option '--dryrun'`],
  ['a map that is not there', ['swr', 'src', '--map', 'no.json'], 'no.json is not a JSON file that can be read'],
  ['a map of something else', ['swr', 'src', '--map', 'map.json'], '"/todos" is not a method and a path'],
])('explains %s, and ends with 2', (_title, args, message) => {
  write('src/App.tsx', APP)
  write('map.json', '{ "/todos": "Todos.get" }')
  expect(call(...args)).toBe(2)
  expect(output()).toContain(message)
  expect(read('src/App.tsx')).toBe(APP)
})

test('--help names the options', () => {
  expect(call('--help')).toBe(0)
  expect(output()).toMatch(/--dry[\s\S]+--map[\s\S]+--out/)
})

test('--dry prints a diff, and writes nothing', () => {
  write('src/api.ts', API)
  write('src/App.tsx', APP)
  expect(call('tanstack-query', 'src', '--dry')).toBe(0)
  expect(output()).toContain('+  const { data: todo } = useDLE(Todos.get, { id })')
  expect(output()).toContain('7 of 7 hooks converted; 2 files would change')
  expect(read('src/App.tsx')).toBe(APP)
  expect(existsSync(join(FOLDER, 'src/resources.ts'))).toBe(false)
})

test('--out names the module, and a second run changes nothing', () => {
  write('src/api.ts', API)
  write('src/App.tsx', APP)
  expect(call('tanstack-query', 'src', '--out', 'src/data/index.ts')).toBe(0)
  expect(read('src/data/index.ts')).toContain('export const Todos = resource(')
  const [app, module] = [read('src/App.tsx'), read('src/data/index.ts')]
  printed = []
  expect(call('tanstack-query', 'src', '--out', 'src/data/index.ts')).toBe(0)
  expect(output()).toContain('0 files changed')
  expect([read('src/App.tsx'), read('src/data/index.ts')]).toEqual([app, module])
})

test('a file that does not parse is left and named', () => {
  write('src/api.ts', API)
  write('src/App.tsx', APP)
  write('src/broken.tsx', 'export const = useQuery({')
  expect(call('tanstack-query', 'src')).toBe(0)
  expect(output()).toContain('  src/broken.tsx:1  file: it does not parse: Unexpected token')
  expect(read('src/broken.tsx')).toBe('export const = useQuery({')
})

/** The errors of the compiler in the folder. */
function compile(): string {
  const root = here('../..')
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2023', 'dom', 'dom.iterable'],
        jsx: 'react-jsx',
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        types: [],
        paths: { restitch: [`${root}src/index.ts`], 'restitch/react': [`${root}src/react/index.ts`] },
        allowImportingTsExtensions: true,
        customConditions: ['restitch-source'],
      },
      include: ['src'],
    }),
  )
  const { stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', FOLDER], {
    encoding: 'utf8',
    cwd: here('..'),
  })
  // The sources of the library have flags of their own.
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('.cache/'))
    .join('\n')
}
