import { expect, test } from 'vitest'
import { describeApp } from '../shared/testing.ts'
import { createApi } from './server.ts'

const AUTHORS = ['Ada Byron', 'Grace Hopper', 'Alan Turing']
const HEAD = ['Feed', '[] (Post)']
const MORE = '(Show comments)'
const END = 'You have reached the end.'

describeApp('feed', createApi, (app) => {
  const scrollDown = () => app.page.mouse.wheel(0, 10_000)

  test('loads one page after the other until the end', async () => {
    await app.open()
    await app.sees(...HEAD, ...posts(25, 16))
    await app.sent('GET /api/posts')
    await scrollDown()
    await app.sees(...HEAD, ...posts(25, 6))
    await app.sent('GET /api/posts?cursor=16')
    await scrollDown()
    await app.sees(...HEAD, ...posts(25, 1), END)
    await app.sent('GET /api/posts?cursor=6')
  })

  test('offers to try again when a page fails', async () => {
    await app.open()
    await app.sees(...HEAD, ...posts(25, 16))
    await app.sent('GET /api/posts')
    const repair = await app.fail(/cursor=16/, 503, { message: 'Come back later' })
    await scrollDown()
    await app.sees(...HEAD, ...posts(25, 16), 'Come back later (Try again)')
    await app.sent('GET /api/posts?cursor=16 503')
    await repair()
    await app.page.getByRole('button', { name: 'Try again' }).click()
    await app.sees(...HEAD, ...posts(25, 6))
    await app.sent('GET /api/posts?cursor=16')
  })

  test('shows the summary at once and fetches the rest', async () => {
    await app.open()
    await app.sees(...HEAD, ...posts(25, 16))
    const release = await app.hold(/posts\/24/)
    // Not by a click, which would hover first.
    await app.page.evaluate(() => location.assign('#/posts/24'))
    await app.sees('← Feed', 'Post number 24 by Grace Hopper (♡ 1)', 'Loading the text…')
    release()
    const text = 'This is the whole text of post number 24.'
    await app.sees('← Feed', 'Post number 24 by Grace Hopper (♡ 1)', text, MORE)
    await app.sent('GET /api/posts', 'GET /api/posts/24')

    // Back and forth without a request, and with all that was loaded.
    await app.page.getByRole('link', { name: '← Feed' }).click()
    await app.sees(...HEAD, ...posts(25, 16))
    await app.page.evaluate(() => location.assign('#/posts/24'))
    await app.sees('← Feed', 'Post number 24 by Grace Hopper (♡ 1)', text, MORE)
    await app.sent()
  })

  test('shows the authors of all comments after one request, also when one of them is gone', async () => {
    await app.open('/#/posts/3')
    const head = ['← Feed', 'Post number 3 by Grace Hopper (♡ 22)', 'This is the whole text of post number 3.']
    await app.sees(...head, MORE)
    app.allow(/u8/)
    await app.page.getByRole('button', { name: 'Show comments' }).click()
    await app.sees(
      ...head,
      'Edsger Dijkstra: I was there.',
      'Barbara Liskov: Prove it.',
      'a former user: So was I.',
      'Edsger Dijkstra: Thank you.',
    )
    await app.sent('GET /api/posts/3', 'GET /api/posts/3/comments', 'GET /api/users?ids=u4,u5,u8')
  })

  test('opens a post that the feed has not brought, and says when there is none', async () => {
    await app.open('/#/posts/3')
    await app.sees('← Feed', 'Post number 3 by Grace Hopper (♡ 22)', 'This is the whole text of post number 3.', MORE)
    await app.sent('GET /api/posts/3')
    app.allow(/This post does not exist/)
    await app.page.evaluate(() => location.assign('#/posts/99'))
    await app.sees('← Feed', 'This post does not exist')
    await app.sent('GET /api/posts/99 404')
  })

  test('prefetches the post under the pointer, once', async () => {
    await app.open()
    await app.sees(...HEAD, ...posts(25, 16))
    await app.sent('GET /api/posts')
    const link = app.page.getByRole('link', { name: 'Post number 23' })
    await link.hover()
    await app.sent('GET /api/posts/23')
    await app.page.getByRole('heading', { name: 'Feed' }).hover()
    await link.click()
    await app.sees('← Feed', 'Post number 23 by Alan Turing (♡ 2)', 'This is the whole text of post number 23.', MORE)
    await app.sent()
  })

  test('a prefetch that fails disturbs nobody', async () => {
    await app.open()
    await app.sees(...HEAD, ...posts(25, 16))
    await app.sent('GET /api/posts')
    await app.fail(/posts\/21/, 503, { message: 'Come back later' })
    await app.page.getByRole('link', { name: 'Post number 21' }).hover()
    await app.sent('GET /api/posts/21 503')
    await app.sees(...HEAD, ...posts(25, 16))
  })

  test('likes at once, wherever the post is shown', async () => {
    await app.open()
    await app.sees(...HEAD, ...posts(25, 16))
    const release = await app.hold(/like/)
    const button = app.page.getByRole('button', { name: 'Like Post number 22' })
    await button.click()
    await app.sees(...HEAD, ...posts(25, 16).with(3, 'Post number 22 by Ada Byron (♥ 4)'))
    await button.click()
    await app.sees(...HEAD, ...posts(25, 16))
    await button.click()
    await app.sees(...HEAD, ...posts(25, 16).with(3, 'Post number 22 by Ada Byron (♥ 4)'))
    await app.page.evaluate(() => location.assign('#/posts/22'))
    await app.sees('← Feed', 'Post number 22 by Ada Byron (♥ 4)', 'This is the whole text of post number 22.', MORE)
    release()
    await app.sent(
      'GET /api/posts',
      'PUT /api/posts/22/like',
      'DELETE /api/posts/22/like',
      'PUT /api/posts/22/like',
      'GET /api/posts/22',
      // Only the server knows whether that response was from before or after the likes.
      'GET /api/posts/22',
    )
    await app.sees('← Feed', 'Post number 22 by Ada Byron (♥ 4)', 'This is the whole text of post number 22.', MORE)
  })

  test('takes a like back when the server refuses it', async () => {
    await app.open()
    await app.sees(...HEAD, ...posts(25, 16))
    await app.fail(/like/, 429, { message: 'You like too much' })
    const said = app.page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.dismiss()
      return dialog.message()
    })
    await app.page.getByRole('button', { name: 'Like Post number 22' }).click()
    expect(await said).toBe('You like too much')
    await app.sees(...HEAD, ...posts(25, 16))
    await app.sent('GET /api/posts', 'PUT /api/posts/22/like 429')
  })

  test('shows a new post on top before the server has it', async () => {
    await app.open()
    await app.sees(...HEAD, ...posts(25, 16))
    await app.sent('GET /api/posts')
    const release = await app.hold(/posts$/)
    await app.page.getByLabel('Title').fill('Hello')
    await app.page.getByRole('button', { name: 'Post', exact: true }).click()
    await app.sees(...HEAD, 'Hello by you (♡ 0)', ...posts(25, 16))
    expect(await app.page.locator('li.pending').count()).toBe(1)
    release()
    await app.sees(...HEAD, 'Hello by You (♡ 0)', ...posts(25, 16))
    expect(await app.page.locator('li.pending').count()).toBe(0)
    await app.sent('POST /api/posts')

    // The response had the text, too.
    await app.page.getByRole('link', { name: 'Hello' }).click()
    await app.sees('← Feed', 'Hello by You (♡ 0)', 'Hello, at length.', MORE)
    await app.sent()
  })

  test('takes a post back when the server refuses it', async () => {
    await app.open()
    await app.page.getByRole('button', { name: 'Post', exact: true }).click()
    await app.sees('Feed', '[] (Post) A post needs a title', ...posts(25, 16))
    await app.sent('GET /api/posts', 'POST /api/posts 422')
  })
})

function posts(first: number, last: number): string[] {
  return Array.from({ length: first - last + 1 }, (_, index) => {
    const id = first - index
    return `Post number ${id} by ${AUTHORS[(25 - id) % 3]} (♡ ${25 - id})`
  })
}
