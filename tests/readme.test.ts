// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.restoreAllMocks())

test('the example of the README runs as it stands', async () => {
  const [, code = ''] = /```tsx\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  let respond = (): void => {}
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    if (init?.method === 'PATCH') {
      await new Promise<void>((done) => (respond = done))
      return Response.json({ id: 1, title: 'Write', done: true })
    }
    return Response.json([
      { id: 1, title: 'Write', done: false },
      { id: 2, title: 'Test', done: false },
    ])
  })
  const folder = resolve('.cache/readme')
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/tsconfig.json`, '{ "compilerOptions": { "jsx": "react-jsx" } }')
  writeFileSync(`${folder}/main.tsx`, code)
  document.body.innerHTML = '<div id="root"></div>'
  await act(() => import(`${folder}/main.tsx`))

  expect(await screen.findByText('Write')).toBeDefined()
  act(() => void fireEvent.click(screen.getByText('Write')))
  // Before the response: optimistic updates move the record between lists.
  expect(document.body.textContent).toBe('Test')
  await act(async () => respond())
  expect(document.body.textContent).toBe('Test')
  expect(fetch.mock.calls.map(([url, init]) => `${init?.method} ${String(url)}`)).toEqual([
    'GET /todos?done=false',
    'PATCH /todos/1',
  ])
})
