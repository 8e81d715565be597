import { describe, expect, test } from 'vitest'
import { leftOf, migrate, type Migrated } from './migrate.ts'

// Hooks that take options from their callers, each in a module of its own.
const FILES = {
  'client.ts': `import { type UseMutationOptions } from '@tanstack/react-query'
import Axios from 'axios'
export const api = Axios.create({ baseURL: 'https://api.test' })
api.interceptors.response.use((response) => response.data)
export type Row<T> = { [K in keyof T]: T[K] } & { id: string }
export type Note = Row<{ text: string; done: boolean }>
export type MutationConfig<F extends (...args: any) => Promise<any>> = UseMutationOptions<any, Error, Parameters<F>[0]>
`,
  'notes.ts': `import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Note } from './client'
export const getNotes = (page = 1): Promise<{ data: Note[]; meta: { total: number } }> =>
  api.get('/notes', { params: { page } })
export const getNotesOptions = ({ page }: { page?: number } = {}) =>
  queryOptions({ queryKey: page ? ['notes', { page }] : ['notes'], queryFn: () => getNotes(page) })
type UseNotesOptions = { page?: number; queryConfig?: object }
export const useNotes = ({ page, queryConfig }: UseNotesOptions = {}) => {
  return useQuery({ ...getNotesOptions({ page }), ...queryConfig })
}
`,
  'createNote.ts': `import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type MutationConfig, type Note } from './client'
import { getNotesOptions } from './notes'
export const createNote = ({ data }: { data: { text: string } }): Promise<Note> => api.post('/notes', data)
type UseCreateNoteOptions = {
  mutationConfig?: MutationConfig<typeof createNote>;
};
export const useCreateNote = ({ mutationConfig }: UseCreateNoteOptions = {}) => {
  const queryClient = useQueryClient();
  const { onSuccess, ...restConfig } = mutationConfig || {};
  return useMutation({
    onSuccess: (...args) => {
      queryClient.invalidateQueries({ queryKey: getNotesOptions().queryKey });
      onSuccess?.(...args);
    },
    ...restConfig,
    mutationFn: createNote,
  });
};
`,
  'App.tsx': `import { useCreateNote } from './createNote'
import { useNotes } from './notes'
export function App({ close }: any) {
  const notes = useNotes({ page: 2 })
  const create = useCreateNote({ mutationConfig: { onSuccess: () => close() } })
  if (notes.isLoading) return 'Loading'
  return <button disabled={create.isPending} onClick={() => create.mutate({ data: { text: 'x' } })}>{notes.data?.data.length}</button>
}
`,
}

const convert = (changes: { readonly [file in keyof typeof FILES]?: (text: string) => string } = {}): Migrated => {
  const files = Object.entries(FILES).map(([name, text]) => [name, changes[name as keyof typeof FILES]?.(text) ?? text])
  return migrate('tanstack-query', Object.fromEntries(files))
}

test('options that nobody passes go, with a line in the report', () => {
  const result = convert()
  expect(result.file('notes.ts')).toContain('= ({ page }: UseNotesOptions = {}) => {')
  expect(result.file('notes.ts')).toContain('return useDLE(Notes.getList, {')
  expect(result.file('notes.ts')).not.toMatch(/queryConfig \}|\.\.\.queryConfig/)
  expect(result.notes).toContainEqual(
    expect.objectContaining({ kind: 'note', text: 'left out ...queryConfig: nobody passes it' }),
  )
})

test('"enabled" of a caller is part of the arguments', () => {
  const result = convert({ 'App.tsx': (text) => text.replace('page: 2', 'page: 2, queryConfig: { enabled: !!close }') })
  expect(result.file('notes.ts')).toMatch(/useDLE\(Notes\.getList, queryConfig\?\.enabled !== false \? \{.*\} : null\)/)
})

test('callbacks of callers are those of the mutation, with its type', () => {
  const { file } = convert()
  expect(file('createNote.ts')).toContain('mutationConfig?: MutationOptions<typeof Notes.create>;')
  expect(file('createNote.ts')).toMatch(
    /return useMutation\(Notes\.create, \{\s+onSuccess: \(\.\.\.args\) => \{\s+onSuccess\?\.\(\.\.\.args\);\s+\},\s+\.\.\.restConfig,\s+\}\)/,
  )
  expect(file('createNote.ts')).not.toContain('QueryClient')
  expect(file('App.tsx')).toContain("create.mutate({ text: 'x' })")
  expect(file('App.tsx')).toContain('disabled={create.loading}')
  expect(file('resources.ts')).toMatch(/class Note extends Entity \{\s+text = ''\s+done = false\s+id = ''/)
})

describe('what stays', () => {
  test.each([
    [
      'another option',
      'App.tsx',
      (text: string) => text.replace('page: 2', 'page: 2, queryConfig: { staleTime: 5 }'),
      'callers pass "staleTime"',
    ],
    [
      'a callback that reads the variables',
      'App.tsx',
      (text: string) => text.replace('onSuccess: () =>', 'onSuccess: (_note, { data }) =>'),
      'callbacks that read the variables',
    ],
    [
      'options from elsewhere',
      'App.tsx',
      (text: string) => text.replace('useNotes({ page: 2 })', 'useNotes(close)'),
      'passes as "queryConfig" is not known',
    ],
    [
      'options that the hook reads itself',
      'createNote.ts',
      (text: string) => text.replace('onSuccess?.(...args)', 'onSuccess?.(args[0], args[1], args[2])'),
      'a callback takes its arguments apart',
    ],
  ] as const)('%s', (_name, file, change, reason) => {
    expect(leftOf(convert({ [file]: change })).join('\n')).toContain(reason)
  })
})

test('a query stays beside a mutation that stays and writes its key, however the key is taken', () => {
  const result = migrate('tanstack-query', {
    'client.ts': FILES['client.ts'],
    'note.ts': `import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Note } from './client'
const getNote = (id: string): Promise<Note> => api.get(\`/notes/\${id}\`)
const saveNote = (id: string, done: boolean): Promise<Note> => api.patch(\`/notes/\${id}\`, { done })
export const getNoteOptions = (id: string) => queryOptions({ queryKey: ['notes', id], queryFn: () => getNote(id) })
export const useNote = (id: string) => useQuery(getNoteOptions(id))
export const useToggle = (id: string) => {
  const queryClient = useQueryClient()
  const { queryKey } = getNoteOptions(id)
  return useMutation({
    mutationFn: (done: boolean) => saveNote(id, done),
    onMutate: (done) => queryClient.setQueryData(queryKey, (old) => old && { ...old, done }),
  })
}
`,
    'App.tsx': `import { useNote, useToggle } from './note'
export function App({ noteId }: any) {
  const { data } = useNote(noteId)
  const toggle = useToggle(noteId)
  return <button onClick={() => toggle.mutate(true)}>{data?.text}</button>
}
`,
  })
  expect(leftOf(result).join('\n')).toContain('setQueryData in')
  expect(result.file('note.ts')).toContain('useQuery(getNoteOptions(id))')
})
