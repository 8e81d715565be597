import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeApp } from '../harness.ts'

const owner = { id: 7, name: 'Ann' }

describeApp(
  'tanstack-todos',
  () => {
    let todos = [
      { id: 1, title: 'Milk', done: false, priority: 'low', owner, tags: ['shop'], notes: 'two litres' },
      { id: 2, title: 'Bread', done: false, priority: 'high', owner, tags: [] },
      { id: 3, title: 'Taxes', done: true, priority: 'normal', owner, tags: [] },
    ]
    return ({ method, path, search, body }) => {
      const id = Number(path.split('/')[2])
      const todo = todos.find((one) => one.id === id)
      if (path === '/stats') {
        return { body: { open: todos.filter((one) => !one.done).length, done: todos.filter((one) => one.done).length } }
      }
      if (path === '/todos' && method === 'POST') {
        const created = { id: 4, priority: 'normal', owner, tags: [], ...body }
        todos = [...todos, created]
        return { status: 201, body: created }
      }
      if (path === '/todos') {
        return { body: todos.filter((one) => String(one.done) === search.get('done')) }
      }
      if (method === 'PATCH' && todo) {
        if (body.title === 'refused') {
          return { status: 422, body: { message: 'Refused' } }
        }
        todos = todos.map((one) => (one === todo ? { ...one, ...body } : one))
        return { body: todos.find((one) => one.id === id) }
      }
      if (method === 'DELETE') {
        todos = todos.filter((one) => one !== todo)
        return { status: 204 }
      }
      return todo && { body: todo }
    }
  },
  (open) => {
    const list = (name: string): Promise<HTMLElement> => screen.findByRole('list', { name })

    test('shows lists, a detail and numbers', async () => {
      await open()
      expect(within(await list('Open')).getAllByRole('listitem')).toHaveLength(2)
      expect(within(await list('Done')).getAllByRole('listitem')).toHaveLength(1)
      expect(await screen.findByText('2 open, 1 done')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'Milk' }))
      expect(await screen.findByText('two litres')).toBeTruthy()
      expect(screen.getByText('open · low · Ann · shop')).toBeTruthy()
    })

    test('creates, checks and deletes', async () => {
      const calls = await open()
      await list('Open')
      fireEvent.change(screen.getByLabelText('New todo'), { target: { value: 'Call' } })
      fireEvent.click(screen.getByRole('button', { name: 'Add' }))
      expect(await within(await list('Open')).findByRole('button', { name: 'Call' })).toBeTruthy()
      expect(await screen.findByText('3 open, 1 done')).toBeTruthy()
      fireEvent.click(screen.getByLabelText('Toggle Bread'))
      expect(await within(await list('Done')).findByRole('button', { name: 'Bread' })).toBeTruthy()
      await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ done: true }))
      fireEvent.click(screen.getByRole('button', { name: 'Taxes' }))
      fireEvent.click(await screen.findByRole('button', { name: 'Delete' }))
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Taxes' })).toBeNull())
      expect(await screen.findByText('Nothing selected')).toBeTruthy()
    })

    test('edits, and shows why not', async () => {
      await open()
      fireEvent.click(await screen.findByRole('button', { name: 'Milk' }))
      fireEvent.change(await screen.findByLabelText('Title'), { target: { value: 'Oat milk' } })
      fireEvent.click(screen.getByRole('button', { name: 'Save' }))
      expect(await within(await list('Open')).findByRole('button', { name: 'Oat milk' })).toBeTruthy()
      expect(await screen.findByRole('heading', { name: 'Oat milk' })).toBeTruthy()
      await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false))
      fireEvent.change(await screen.findByLabelText('Title'), { target: { value: 'refused' } })
      fireEvent.click(screen.getByRole('button', { name: 'Save' }))
      expect(await screen.findByRole('alert')).toBeTruthy()
      expect(await within(await list('Open')).findByRole('button', { name: 'Oat milk' })).toBeTruthy()
    })
  },
)
