import { test } from 'vitest'
import { describeApp } from '../shared/testing.ts'
import { createApi } from './server.ts'

const LIST = ['Notes', 'Groceries', 'Ideas ★', 'Letters']
const IDEAS = ['Ideas', 'A clock that runs backwards.', '(Unpin)']
const LETTERS = ['Letters', 'Write to Grandmother.', '(Pin)']

describeApp('tanstack-router', createApi, (app) => {
  const go = (name: string) => app.page.getByRole('link', { name, exact: true }).click()

  test('loaders fetch the list and the note side by side, and nothing twice', async () => {
    await app.open('/notes/2')
    await app.sees(...LIST, ...IDEAS)
    await app.sent('GET /api/notes', 'GET /api/notes/2')
    await go('Letters')
    await app.sees(...LIST, ...LETTERS)
    await app.sent('GET /api/notes/3')
    await go('Ideas')
    await app.sees(...LIST, ...IDEAS)
    await app.page.goBack()
    await app.sees(...LIST, ...LETTERS)
    await app.sent()
  })

  test('a link under the pointer fetches its page, and a click on it nothing more', async () => {
    await app.open('/')
    await app.sees(...LIST, 'Choose a note.')
    await app.page.getByRole('link', { name: 'Letters' }).hover()
    await app.sent('GET /api/notes', 'GET /api/notes/3')
    await go('Letters')
    await app.sees(...LIST, ...LETTERS)
    await app.sent()
  })

  test('a mutation shows in the list and on every page, without invalidating the router', async () => {
    await app.open('/notes/3')
    await app.sees(...LIST, ...LETTERS)
    await app.page.getByRole('button', { name: 'Pin' }).click()
    await app.sees(...LIST.with(3, 'Letters ★'), ...LETTERS.with(2, '(Unpin)'))
    await app.sent('GET /api/notes', 'GET /api/notes/3', 'PATCH /api/notes/3')
    await go('Ideas')
    await app.sees(...LIST.with(3, 'Letters ★'), ...IDEAS)
    await go('Letters')
    await app.sees(...LIST.with(3, 'Letters ★'), ...LETTERS.with(2, '(Unpin)'))
    await app.sent('GET /api/notes/2')
  })
})
