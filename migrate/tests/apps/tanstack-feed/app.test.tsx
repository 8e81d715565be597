import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeApp } from '../harness.ts'

describeApp(
  'tanstack-feed',
  () => {
    const author = { id: 'a', name: 'Ann' }
    let posts = ['One', 'Two', 'Three', 'Four', 'Five'].map((text, index) => ({
      id: `p${index}`,
      text,
      likes: index,
      liked: false,
      author,
      createdAt: '2030-01-01',
    }))
    const comments = [{ id: 'c1', postId: 'p0', text: 'First!' }]
    return ({ method, path, search, body, headers }) => {
      if (headers['authorization'] !== 'Bearer secret') {
        return { status: 401, body: { message: 'Sign in' } }
      }
      const [, , , id, rest] = path.split('/')
      if (path === '/v1/posts') {
        const from = Number(search.get('cursor') || 0)
        return {
          body: { items: posts.slice(from, from + 2), nextCursor: from + 2 < posts.length ? String(from + 2) : null },
        }
      }
      if (path === '/v1/search') {
        return { body: posts.filter((post) => post.text.toLowerCase().includes(search.get('q')!.toLowerCase())) }
      }
      if (rest === 'comments') {
        if (method === 'POST') {
          comments.push({ id: `c${comments.length + 1}`, postId: id, text: body.text })
          return { status: 201, body: comments.at(-1) }
        }
        return { body: comments.filter((comment) => comment.postId === id) }
      }
      if (method === 'PATCH') {
        posts = posts.map((post) => (post.id === id ? { ...post, ...body } : post))
        return { body: posts.find((post) => post.id === id) }
      }
      return undefined
    }
  },
  (open) => {
    test('shows pages, and sends the token', async () => {
      const calls = await open()
      expect(await screen.findByText('Ann: One')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'More' }))
      expect(await screen.findByText('Ann: Four')).toBeTruthy()
      fireEvent.click(await screen.findByRole('button', { name: 'More' }))
      expect(await screen.findByText('Ann: Five')).toBeTruthy()
      expect(await screen.findByRole('button', { name: 'The end' })).toBeTruthy()
      expect(screen.getAllByRole('article')).toHaveLength(5)
      expect(calls.every(({ headers }) => headers['authorization'] === 'Bearer secret')).toBe(true)
    })

    test('likes, and comments', async () => {
      const calls = await open()
      const post = await screen.findByRole('article', { name: 'One' })
      fireEvent.click(within(post).getByRole('button', { name: 'Like 0' }))
      expect(await within(post).findByRole('button', { name: 'Unlike 1' })).toBeTruthy()
      await waitFor(() =>
        expect(calls.find(({ method }) => method === 'PATCH')).toMatchObject({
          path: '/v1/posts/p0',
          body: { liked: true, likes: 1 },
        }),
      )
      fireEvent.click(within(post).getByRole('button', { name: 'Comments' }))
      expect(await screen.findByText('First!')).toBeTruthy()
      fireEvent.change(screen.getByLabelText('Comment'), { target: { value: 'Second' } })
      fireEvent.click(screen.getByRole('button', { name: 'Send' }))
      expect(await screen.findByText('Second')).toBeTruthy()
      expect(calls.find(({ method }) => method === 'POST')).toMatchObject({
        path: '/v1/posts/p0/comments',
        body: { text: 'Second' },
      })
    })

    test('searches', async () => {
      const calls = await open()
      fireEvent.change(await screen.findByLabelText('Search'), { target: { value: 't' } })
      fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'tw' } })
      expect(await within(screen.getByRole('list', { name: 'Results' })).findByText('Two')).toBeTruthy()
      expect(calls.filter(({ path }) => path === '/v1/search')).toHaveLength(1)
    })
  },
)
