import { expect, test } from 'vitest'
import type { App } from './testing.ts'

const HEAD = ['Todos', '[] (Add)', '(All) (Open) (Done)']
const PLANTS = '[] Water the plants (Delete)'
const ANN = '[x] Call Ann (Delete)'
const TABLE = '[] Book a table (Delete)'

/** The todo app is the same in each framework, and so are its tests. */
export function testTodos(app: App<any>): void {
  const click = (name: string) => app.page.getByRole('button', { name, exact: true }).click()

  test('filters on the server, and fetches each list once', async () => {
    await app.open()
    await app.sees(...HEAD, '3 shown', PLANTS, ANN, TABLE)
    await app.sent('GET /api/todos')

    const release = await app.hold(/done=false/)
    await click('Open')
    await expect
      .poll(() => app.page.getByRole('button', { name: 'Open', exact: true }).getAttribute('aria-pressed'))
      .toBe('true')
    // The old list stays until the new one arrives.
    await app.sees(...HEAD, '3 shown', PLANTS, ANN, TABLE)
    release()
    await app.sees(...HEAD, '2 shown', PLANTS, TABLE)
    await click('Done')
    await app.sees(...HEAD, '1 shown', ANN)
    await app.sent('GET /api/todos?done=false', 'GET /api/todos?done=true')

    await click('All')
    await app.sees(...HEAD, '3 shown', PLANTS, ANN, TABLE)
    await app.sent()
  })

  test('shows the fallback, then an error, and tries again', async () => {
    await app.open()
    await app.sees(...HEAD, '3 shown', PLANTS, ANN, TABLE)
    await app.sent('GET /api/todos')
    const repair = await app.fail(/done=true/, 403, { message: 'Not now' })
    await click('Done')
    await app.sees(...HEAD, 'Not now (Try again)')
    await app.sent('GET /api/todos?done=true 403')

    await repair()
    const release = await app.hold(/done=true/)
    await click('Try again')
    await app.sees(...HEAD, 'Loading…')
    release()
    await app.sees(...HEAD, '1 shown', ANN)
    await app.sent('GET /api/todos?done=true')
  })

  test('moves a todo between lists before the response arrives', async () => {
    await app.open()
    await app.sees(...HEAD, '3 shown', PLANTS, ANN, TABLE)
    await click('Open')
    await app.sees(...HEAD, '2 shown', PLANTS, TABLE)
    await app.sent('GET /api/todos', 'GET /api/todos?done=false')

    const release = await app.hold(/todos\/1/)
    await app.page.getByLabel('Water the plants', { exact: true }).click()
    await app.sees(...HEAD, '1 shown', TABLE)
    release()
    await app.sent('PATCH /api/todos/1')
    await click('All')
    await app.sees(...HEAD, '3 shown', PLANTS.replace('[]', '[x]'), ANN, TABLE)
    await app.sent()
  })

  test('adds a todo to every list before the response arrives', async () => {
    await app.open()
    await app.sees(...HEAD, '3 shown', PLANTS, ANN, TABLE)
    await click('Open')
    await app.sees(...HEAD, '2 shown', PLANTS, TABLE)
    await app.sent('GET /api/todos', 'GET /api/todos?done=false')

    const release = await app.hold(/todos$/)
    await app.page.getByLabel('Title').fill('Buy milk')
    await click('Add')
    const milk = '[] Buy milk (Delete)'
    await app.sees(...HEAD, '3 shown', PLANTS, TABLE, milk)
    expect(await app.page.locator('.pending').count()).toBe(1)
    release()
    await expect.poll(() => app.page.locator('.pending').count()).toBe(0)
    await click('All')
    await app.sees(...HEAD, '4 shown', PLANTS, ANN, TABLE, milk)
    await app.sent('POST /api/todos')
  })

  test('deletes a todo, and restores it when the server refuses', async () => {
    await app.open()
    await app.sees(...HEAD, '3 shown', PLANTS, ANN, TABLE)
    await click('Delete Call Ann')
    await app.sees(...HEAD, '2 shown', PLANTS, TABLE)
    await app.sent('GET /api/todos', 'DELETE /api/todos/2')

    await app.fail(/todos\/3/, 403, { message: 'The table is booked' })
    await click('Delete Book a table')
    await app.sees(...HEAD, 'Not deleted: The table is booked', '2 shown', PLANTS, TABLE)
    await app.page.getByLabel('Book a table', { exact: true }).click()
    await app.sees(
      ...HEAD,
      'Not saved: The table is booked',
      'Not deleted: The table is booked',
      '2 shown',
      PLANTS,
      TABLE,
    )
    await app.sent('DELETE /api/todos/3 403', 'PATCH /api/todos/3 403')
  })
}
