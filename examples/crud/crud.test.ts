import { expect, test } from 'vitest'
import { describeApp } from '../shared/testing.ts'
import { createApi } from './server.ts'

const HEAD = ['Bookshelf (Add a book)']
const DRACULA = '(Dracula) Bram Stoker 1897 [to read] (Delete)'
const EMMA = '(Emma) Jane Austen 1815 [finished] (Delete)'
const MIDDLEMARCH = '(Middlemarch) George Eliot 1871 [reading] (Delete)'
const PERSUASION = '(Persuasion) Jane Austen 1817 [to read] (Delete)'
const WALDEN = '(Walden) Henry David Thoreau 1854 [reading] (Delete)'
const BOOKS = [DRACULA, EMMA, MIDDLEMARCH, PERSUASION, WALDEN]

describeApp('crud', createApi, (app) => {
  test('filters, sorts and searches on the server, and fetches each list once', async () => {
    await app.open()
    await app.sees(...HEAD, '[] [All books] [By title]', '5 books', ...BOOKS)
    await app.sent('GET /api/books?sort=title')

    await app.page.getByLabel('Status', { exact: true }).selectOption('reading')
    await app.sees(...HEAD, '[] [reading] [By title]', '2 books', MIDDLEMARCH, WALDEN)
    await app.sent('GET /api/books?sort=title&status=reading')

    await app.page.getByLabel('Sort by').selectOption('By year')
    await app.sees(...HEAD, '[] [reading] [By year]', '2 books', WALDEN, MIDDLEMARCH)
    await app.sent('GET /api/books?sort=year&status=reading')

    // Fresh lists are shown without a request.
    await app.page.getByLabel('Sort by').selectOption('By title')
    await app.sees(...HEAD, '[] [reading] [By title]', '2 books', MIDDLEMARCH, WALDEN)
    await app.page.getByLabel('Status', { exact: true }).selectOption('All books')
    await app.sees(...HEAD, '[] [All books] [By title]', '5 books', ...BOOKS)
    await app.sent()

    await app.page.getByLabel('Search').fill('austen')
    await app.sees(...HEAD, '[austen] [All books] [By title]', '2 books', EMMA, PERSUASION)
    await app.sent('GET /api/books?q=austen&sort=title')
  })

  test('fits on a phone', async () => {
    await app.open()
    await app.page.setViewportSize({ width: 390, height: 844 })
    const phone = ['(Dracula) Bram Stoker, 1897 [to read] (Delete)', '(Emma) Jane Austen, 1815 [finished] (Delete)']
    await app.sees(
      ...HEAD,
      '[] [All books] [By title]',
      '5 books',
      ...phone,
      '(Middlemarch) George Eliot, 1871 [reading] (Delete)',
      '(Persuasion) Jane Austen, 1817 [to read] (Delete)',
      '(Walden) Henry David Thoreau, 1854 [reading] (Delete)',
    )
    expect(await app.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await app.sent('GET /api/books?sort=title')
  })

  test('keeps the old list on the screen while another one loads', async () => {
    await app.open()
    await app.sees(...HEAD, '[] [All books] [By title]', '5 books', ...BOOKS)
    await app.sent('GET /api/books?sort=title')
    const release = await app.hold(/sort=year/)
    await app.page.getByLabel('Sort by').selectOption('By year')
    await app.page.locator('.pending').waitFor()
    await app.sees(...HEAD, '[] [All books] [By title]', '5 books', ...BOOKS)
    release()
    await app.sees(...HEAD, '[] [All books] [By year]', '5 books', EMMA, PERSUASION, WALDEN, MIDDLEMARCH, DRACULA)
    await app.sent('GET /api/books?sort=year')
  })

  test('explains a 422 field by field, and creates the book once it is right', async () => {
    await app.open()
    await app.page.getByRole('button', { name: 'Add a book' }).click()
    await app.page.getByLabel('Year').fill('19x')
    await app.page.getByRole('button', { name: 'Save' }).click()
    await app.sees(
      ...HEAD,
      'The book could not be saved',
      'Title []',
      'A title is required',
      'Author []',
      'Year [19x]',
      'The year must be between 1 and 2100',
      'Status [to read]',
      'Notes []',
      '(Save) (Cancel)',
      '[] [All books] [By title]',
      '5 books',
      ...BOOKS,
    )
    await app.sent('GET /api/books?sort=title', 'POST /api/books 422')

    await app.page.getByLabel('Title').fill('Kim')
    await app.page.getByLabel('Author').fill('Rudyard Kipling')
    await app.page.getByLabel('Year').fill('1901')
    await app.page.getByRole('button', { name: 'Save' }).click()
    const kim = '(Kim) Rudyard Kipling 1901 [to read] (Delete)'
    await app.sees(...HEAD, '[] [All books] [By title]', '6 books', DRACULA, EMMA, kim, MIDDLEMARCH, PERSUASION, WALDEN)
    // Only the server knows where the book stands in a sorted list.
    await app.sent('POST /api/books', 'GET /api/books?sort=title')
  })

  test('moves a book between lists when the field they filter by changes', async () => {
    await app.open()
    const status = app.page.getByLabel('Status', { exact: true })
    await status.selectOption('finished')
    await app.sees(...HEAD, '[] [finished] [By title]', '1 book', EMMA)
    await status.selectOption('reading')
    await app.sees(...HEAD, '[] [reading] [By title]', '2 books', MIDDLEMARCH, WALDEN)
    await app.sent(
      'GET /api/books?sort=title',
      'GET /api/books?sort=title&status=finished',
      'GET /api/books?sort=title&status=reading',
    )

    await app.page.getByLabel('Status of Walden').selectOption('finished')
    await app.sees(...HEAD, '[] [reading] [By title]', '1 book', MIDDLEMARCH)
    await app.sent('PATCH /api/books/5')

    const walden = WALDEN.replace('reading', 'finished')
    await status.selectOption('finished')
    await app.sees(...HEAD, '[] [finished] [By title]', '2 books', EMMA, walden)
    await app.sent('GET /api/books?sort=title&status=finished')
    await status.selectOption('All books')
    await app.sees(...HEAD, '[] [All books] [By title]', '5 books', DRACULA, EMMA, MIDDLEMARCH, PERSUASION, walden)
    // The list is sorted by title, and the title is the same.
    await app.sent()
  })

  test('edits the whole book although the list has only a part of it', async () => {
    await app.open()
    await app.page.getByRole('button', { name: 'Persuasion', exact: true }).click()
    const list = ['[] [All books] [By title]', '5 books', ...BOOKS]
    const form = ['Title [Persuasion]', 'Author [Jane Austen]', 'Year [1817]', 'Status [to read]']
    await app.sees(...HEAD, ...form, 'Notes [The last one she finished.]', '(Save) (Cancel)', ...list)
    await app.sent('GET /api/books?sort=title', 'GET /api/books/4')

    // A second look costs nothing.
    await app.page.getByRole('button', { name: 'Cancel' }).click()
    await app.sees(...HEAD, ...list)
    await app.page.getByRole('button', { name: 'Persuasion', exact: true }).click()
    await app.sees(...HEAD, ...form, 'Notes [The last one she finished.]', '(Save) (Cancel)', ...list)
    await app.sent()

    await app.page.getByLabel('Title').fill('A Persuasion')
    await app.page.getByRole('button', { name: 'Save' }).click()
    const renamed = PERSUASION.replace('Persuasion', 'A Persuasion')
    await app.sees(...HEAD, '[] [All books] [By title]', '5 books', renamed, DRACULA, EMMA, MIDDLEMARCH, WALDEN)
    // The title decides where the book stands.
    await app.sent('PATCH /api/books/4', 'GET /api/books?sort=title')
  })

  test('deletes a book from every list without another request', async () => {
    await app.open()
    const status = app.page.getByLabel('Status', { exact: true })
    await status.selectOption('reading')
    await app.sees(...HEAD, '[] [reading] [By title]', '2 books', MIDDLEMARCH, WALDEN)
    await app.sent('GET /api/books?sort=title', 'GET /api/books?sort=title&status=reading')
    await app.page.getByRole('button', { name: 'Delete Middlemarch' }).click()
    await app.sees(...HEAD, '[] [reading] [By title]', ...deleted('1 book'), '1 book', WALDEN)
    await app.sent()
    await app.page.getByRole('button', { name: 'OK', exact: true }).click()
    await app.sees(...HEAD, '[] [reading] [By title]', '1 book', WALDEN)
    await status.selectOption('All books')
    await app.sees(...HEAD, '[] [All books] [By title]', '4 books', DRACULA, EMMA, PERSUASION, WALDEN)
    await app.sent('DELETE /api/books/2')
  })

  test('takes deletions back, the last one first, and nothing was sent', async () => {
    await app.open()
    await app.sees(...HEAD, '[] [All books] [By title]', '5 books', ...BOOKS)
    await app.sent('GET /api/books?sort=title')
    await app.page.getByRole('button', { name: 'Delete Emma' }).click()
    await app.page.getByRole('button', { name: 'Delete Walden' }).click()
    const all = '[] [All books] [By title]'
    await app.sees(...HEAD, all, ...deleted('2 books'), '3 books', DRACULA, MIDDLEMARCH, PERSUASION)
    await app.page.getByRole('button', { name: 'Undo' }).click()
    await app.sees(...HEAD, all, ...deleted('1 book'), '4 books', DRACULA, MIDDLEMARCH, PERSUASION, WALDEN)
    await app.page.getByRole('button', { name: 'Undo' }).click()
    await app.sees(...HEAD, all, '5 books', ...BOOKS)
    await app.sent()
  })

  test('a deletion that the server refuses is rolled back', async () => {
    await app.open()
    await app.fail(/books\/1$/, 409, { message: 'Emma is lent out' })
    await app.page.getByRole('button', { name: 'Delete Emma' }).click()
    await app.page.getByRole('button', { name: 'OK', exact: true }).click()
    await app.sees(...HEAD, '[] [All books] [By title]', 'Emma is lent out', '5 books', ...BOOKS)
    await app.sent('GET /api/books?sort=title', 'DELETE /api/books/1 409')
  })
})

function deleted(count: string): string[] {
  return [`${count} deleted (Undo) (OK)`]
}
