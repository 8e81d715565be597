import { expect, test } from 'vitest'
import { migrate, type Migrated } from './migrate.ts'

const APP = `import { useQuery } from '@tanstack/react-query'
import { getNotes } from './api'
export function Screen() {
  const { data } = useQuery({ queryKey: ['notes'], queryFn: getNotes })
  return data
}
`

function convertApi(interceptors: string): Migrated {
  const api = `import axios from 'axios'
import { log, readToken, toast } from './tools'
interface Note { id: string; text: string }
const client = axios.create({ baseURL: 'https://api.test' })
${interceptors}
export const getNotes = (): Promise<Note[]> => client.get('/notes').then(({ data }) => data)
`
  return migrate('tanstack-query', { 'api.ts': api, 'App.tsx': APP })
}

const decideOf = ({ notes }: Migrated): string[] =>
  notes.filter(({ kind, what }) => kind === 'decide' && what === 'interceptor').map(({ text }) => text)

test('headers that an interceptor sets are those of a class, and what else it does is in the report', () => {
  const result = convertApi(`client.interceptors.request.use((config) => {
  const { method, url } = config
  const token = readToken()
  if (token) config.headers['Authorization'] = \`Bearer \${token}\`
  log(\`\${method} \${url}\`)
  return config
})`)
  expect(result.file('App.tsx')).toContain('useDLE(Notes.getList)')
  expect(result.file('resources.ts')).toContain('...(readToken() ? { Authorization: `Bearer ${readToken()}` } : {})')
  expect(decideOf(result)).toEqual([expect.stringContaining('do not run log(`${method} ${url}`)')])
})

test('an interceptor may be a function with a name, and credentials are kept', () => {
  const result = convertApi(`function addDefaults(config: any) {
  if (config.headers) config.headers.Accept = 'application/json'
  config.withCredentials = true
  return config
}
client.interceptors.request.use(addDefaults)`)
  expect(result.file('resources.ts')).toContain("credentials: 'include'")
  expect(result.file('resources.ts')).toContain("Accept: 'application/json'")
})

test('what happens after an error is in the report, unless the error is only passed on', () => {
  const loud = convertApi(`client.interceptors.response.use((response) => response, (error) => {
  toast(error.message)
  return Promise.reject(error)
})`)
  expect(loud.file('App.tsx')).toContain('useDLE(Notes.getList)')
  expect(decideOf(loud)).toEqual([expect.stringContaining('do not run (error) => {')])
  const quiet = convertApi('client.interceptors.response.use((response) => response, (error) => Promise.reject(error))')
  expect(decideOf(quiet)).toEqual([])
})

test('a function whose requests an interceptor changes in an unknown way is called as it is', () => {
  const result = convertApi(`client.interceptors.request.use((config) => {
  config.params = sign(config.params)
  return config
})`)
  expect(result.file('resources.ts')).toContain("new Endpoint(getNotes, { name: 'getNotes' })")
})

test('a default import is one in the new module, and a request that needs a whole module stays', () => {
  const files = (imported: string) => ({
    'token.ts': 'export default { read: () => localStorage.getItem("token") }\nexport const read = () => ""\n',
    'api.ts': `import axios from 'axios'
import ${imported} from './token'
interface Note { id: string; text: string }
const client = axios.create({ baseURL: 'https://api.test' })
client.interceptors.request.use((config) => {
  config.headers.Authorization = token.read()
  return config
})
export const getNotes = (): Promise<Note[]> => client.get('/notes').then(({ data }) => data)
`,
    'App.tsx': APP,
  })
  const { file } = migrate('tanstack-query', files('token'))
  expect(file('resources.ts')).toContain("import { default as token } from './token'")
  expect(file('App.tsx')).toContain('useDLE(Notes.getList)')
  const whole = migrate('tanstack-query', files('* as token'))
  expect(whole.file('App.tsx')).toContain('useDLE(getNotesEndpoint)')
  expect(whole.file('resources.ts')).not.toContain('token')
})

test('a member of an object that changes is read when the request is sent', () => {
  const convertWith = (more: string): string =>
    migrate('tanstack-query', {
      'session.ts': `export const session = { token: 'first' as string | null }\n${more}`,
      'api.ts': `import axios from 'axios'
import { session } from './session'
interface Note { id: string; text: string }
const client = axios.create({ baseURL: 'https://api.test' })
client.interceptors.request.use((config) => {
  if (session.token) config.headers.Authorization = session.token
  return config
})
export const getNotes = (): Promise<Note[]> => client.get('/notes').then(({ data }) => data)
`,
      'App.tsx': APP,
    }).file('resources.ts')
  expect(convertWith('')).toContain("Authorization: 'first'")
  expect(convertWith('export const signOut = () => { session.token = null }\n')).toContain(
    '...(session.token ? { Authorization: session.token } : {})',
  )
})
