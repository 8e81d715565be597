import { test } from 'vitest'
import { describeApp } from '../shared/testing.ts'
import { createApi } from './server.ts'

const LIST = ['Notes', '[] New', 'Groceries', 'Ideas ★', 'Letters']
const IDEAS = ['Ideas', 'A clock that runs backwards.', '(Unpin) Edit (Delete)']
const LETTERS = ['Letters', 'Write to Grandmother.', '(Pin) Edit (Delete)']

describeApp('react-router', createApi, (app) => {
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

  test('keeps the page while the next one loads', async () => {
    await app.open('/notes/2')
    await app.sees(...LIST, ...IDEAS)
    const release = await app.hold(/notes\/3/)
    await go('Letters')
    await app.page.locator('section.pending').waitFor()
    await app.sees(...LIST, ...IDEAS)
    release()
    await app.sees(...LIST, ...LETTERS)
    await app.sent('GET /api/notes', 'GET /api/notes/2', 'GET /api/notes/3')
  })

  test('searches by the address', async () => {
    await app.open('/')
    await app.sees(...LIST, 'Choose a note.')
    await app.page.getByLabel('Search').fill('clock')
    await app.page.keyboard.press('Enter')
    await app.sees('Notes', '[clock] New', 'Ideas ★', 'Choose a note.')
    await app.sent('GET /api/notes', 'GET /api/notes?q=clock')
    await app.page.goBack()
    await app.sees(...LIST, 'Choose a note.')
    await app.sent()
  })

  test('an action creates a note, after it has explained what was missing', async () => {
    await app.open('/new')
    await app.page.getByLabel('Text').fill('Ink and paper')
    await app.page.getByRole('button', { name: 'Save' }).click()
    await app.sees(
      ...LIST,
      'The note could not be saved',
      'Title []',
      'A title is required',
      'Text [Ink and paper]',
      '(Save)',
    )
    await app.sent('GET /api/notes', 'POST /api/notes 422')
    await app.page.getByLabel('Title').fill('Desk')
    await app.page.getByRole('button', { name: 'Save' }).click()
    await app.sees('Notes', '[] New', 'Desk', ...LIST.slice(2), 'Desk', 'Ink and paper', '(Pin) Edit (Delete)')
    await app.sent('POST /api/notes')
  })

  test('an action changes a note in the list and on its page', async () => {
    await app.open('/notes/3')
    await go('Edit')
    await app.sees(...LIST, 'Title [Letters]', 'Text [Write to Grandmother.]', '(Save)')
    await app.sent('GET /api/notes', 'GET /api/notes/3')
    await app.page.getByLabel('Title').fill('A letter')
    await app.page.getByRole('button', { name: 'Save' }).click()
    await app.sees(
      'Notes',
      '[] New',
      'A letter',
      'Groceries',
      'Ideas ★',
      'A letter',
      'Write to Grandmother.',
      '(Pin) Edit (Delete)',
    )
    await app.sent('PATCH /api/notes/3')
  })

  test('pins at once', async () => {
    await app.open('/notes/3')
    await app.sees(...LIST, ...LETTERS)
    const release = await app.hold(/notes\/3/)
    await app.page.getByRole('button', { name: 'Pin' }).click()
    await app.sees(...LIST.with(4, 'Letters ★'), ...LETTERS.with(2, '(Unpin) Edit (Delete)'))
    release()
    await app.sees(...LIST.with(4, 'Letters ★'), ...LETTERS.with(2, '(Unpin) Edit (Delete)'))
    await app.sent('GET /api/notes', 'GET /api/notes/3', 'PATCH /api/notes/3')
  })

  test('deletes a note and leaves its page', async () => {
    await app.open('/notes/3')
    await app.sees(...LIST, ...LETTERS)
    const release = await app.hold(/notes\/3/)
    await app.page.getByRole('button', { name: 'Delete' }).click()
    await app.sees(...LIST.slice(0, 4), 'Deleting…')
    release()
    await app.sees(...LIST.slice(0, 4), 'Choose a note.')
    await app.sent('GET /api/notes', 'GET /api/notes/3', 'DELETE /api/notes/3')
  })

  test('a note that does not exist fails on its own', async () => {
    await app.open('/notes/99')
    await app.sees(...LIST, 'There is no such note')
    await app.sent('GET /api/notes', 'GET /api/notes/99 404')
  })
})
