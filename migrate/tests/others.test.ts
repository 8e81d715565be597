import { expect, test } from 'vitest'
import { leftOf, migrate } from './migrate.ts'

const API = `
export const get = (url: string) => fetch('https://api.test' + url).then((response) => response.json())
export interface User { id: string; name: string }
`

test.each([
  [
    'const { data, isValidating } = useSWR<User[]>(`/users?team=${team}`, get)',
    'const { data, fetching: isValidating } = useDLE(Users.getList, { team })',
  ],
  [
    'const { data } = useSWR<User>(id ? `/users/${id}` : null, get)',
    'const { data } = useDLE(Users.get, id ? { id } : null)',
  ],
  [
    'const { data: user } = useSWR<User>(`/users/${id}`, get, { suspense: true })',
    'const user = useSuspense(Users.get, { id })',
  ],
  [
    'const { mutate } = useSWR<User>(`/users/${id}`, get)\nmutate()',
    'const { refetch: mutate } = useDLE(Users.get, { id })\nmutate()',
  ],
])('SWR: %s', (before, after) => {
  const { file } = migrate('swr', {
    'api.ts': API,
    'App.tsx': `import useSWR from 'swr'\nimport { get, type User } from './api'\nexport function App({ id, team }: any) {\n${before}\n}\n`,
  })
  expect(file('App.tsx')).toContain(`{\n${after}\n}`)
})

test('SWR: options without a counterpart are in the report, and a fetcher may have no name', () => {
  const { file, notes } = migrate('swr', {
    'fetcher.ts': `export default async function (url: string) {\n  const response = await fetch('https://api.test' + url)\n  return response.json()\n}\n`,
    'App.tsx': `import useSWR, { SWRConfig } from 'swr'\nimport fetcher from './fetcher'\nfunction User({ id }: any) {\n  const { data } = useSWR<{ id: string }>(\`/users/\${id}\`, { dedupingInterval: 5, revalidateOnFocus: false })\n  return data?.id\n}\nexport const App = () => <SWRConfig value={{ fetcher, refreshInterval: 3000 }}><User id="1" /></SWRConfig>\n`,
  })
  expect(file('App.tsx')).toContain('const { data } = useDLE(')
  expect(notes.filter(({ kind }) => kind === 'note').map(({ what, text }) => `${what}: ${text}`)).toEqual([
    'useSWR: left out dedupingInterval: see docs/guide/from-swr.md',
    'SWRConfig: left out refreshInterval: see docs/guide/from-swr.md',
  ])
})

test('SWR: a write to the cache keeps its key', () => {
  const text = `import useSWR, { mutate } from 'swr'\nimport { get } from './api'\nexport function App({ id }: any) {\n  const { data } = useSWR(\`/users/\${id}\`, get)\n  return () => mutate(\`/users/\${id}\`, { ...data, name: 'x' }, false)\n}\n`
  const result = migrate('swr', { 'api.ts': API, 'App.tsx': text })
  expect(result.changed).toEqual([])
  expect(leftOf(result)[0]).toContain('writes its key')
})

const RTK = `
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
export interface User { id: string; name: string }
export const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: '/api' }),
  endpoints: (build) => ({
    getUsers: build.query<User[], string>({ query: (team) => ({ url: 'users', params: { team } }), providesTags: ['User'] }),
    getUser: build.query<User, string>({ query: (id) => \`users/\${id}\`, providesTags: ['User'] }),
    saveUser: build.mutation<User, User>({ query: ({ id, ...body }) => ({ url: \`users/\${id}\`, method: 'PUT', body }), invalidatesTags: ['User'] }),
  }),
})
export const { useGetUsersQuery, useGetUserQuery, useSaveUserMutation } = api
`

test.each([
  [
    'const { data, isLoading } = useGetUsersQuery(team)',
    'const { data, loading: isLoading } = useDLE(Users.getList, { team })',
  ],
  ['const { data } = useGetUserQuery(id, { skip: !id })', 'const { data } = useDLE(Users.get, id ? { id } : null)'],
  [
    'const { data } = useGetUserQuery(id ?? skipToken)',
    'const { data } = useDLE(Users.get, id != null ? { id } : null)',
  ],
  [
    'const [save, { isLoading }] = useSaveUserMutation()\nsave({ id, name: "x" })',
    "const { mutate: save, loading: isLoading } = useMutation(Users.update)\nsave({ id }, { name: 'x' })",
  ],
  [
    'const [save] = useSaveUserMutation()\nawait save({ id, name: "x" }).unwrap()',
    "const { mutateAsync: save } = useMutation(Users.update)\nawait save({ id }, { name: 'x' })",
  ],
])('RTK Query: %s', (before, after) => {
  const { file } = migrate('rtk-query', {
    'store.ts': RTK,
    'App.tsx': `import { skipToken } from '@reduxjs/toolkit/query/react'\nimport { useGetUsersQuery, useGetUserQuery, useSaveUserMutation } from './store'\nexport async function App({ id, team }: any) {\n${before}\n}\n`,
  })
  expect(file('App.tsx')).toContain(`{\n${after}\n}`)
})

test('RTK Query: what shares a tag stays together', () => {
  const text = `import { useGetUserQuery, useSaveUserMutation } from './store'\nexport function App({ id }: any) {\n  const { data } = useGetUserQuery(id)\n  const result = useSaveUserMutation()\n  return [data, result]\n}\n`
  const result = migrate('rtk-query', { 'store.ts': RTK, 'App.tsx': text })
  expect(result.changed).toEqual([])
  expect(leftOf(result)).toContainEqual(expect.stringContaining('shares a tag'))
})

test('data-client: the imports change, all or none', () => {
  const files = {
    'a.ts': "import { Entity } from '@data-client/rest'\nexport { Entity }\n",
    'b.ts': "import { useSuspense } from '@data-client/react'\nuseSuspense\n",
  }
  const result = migrate('data-client', files)
  expect(result.file('a.ts')).toContain("from 'restitch'")
  expect(result.file('b.ts')).toContain("from 'restitch/react'")
  const blocked = migrate('data-client', {
    ...files,
    'c.ts': "import { createReducer } from '@data-client/core'\ncreateReducer\n",
  })
  expect(blocked.changed).toEqual([])
  expect(leftOf(blocked)[0]).toContain('all files move together')
})

test('data-client: optional parts of older paths are written in braces', () => {
  const result = migrate('data-client', {
    'a.ts':
      "import { RestEndpoint } from '@data-client/rest'\nexport const get = new RestEndpoint({ path: '/users/:id?' })\n",
  })
  expect(result.file('a.ts')).toContain("path: '/users{/:id}'")
})
