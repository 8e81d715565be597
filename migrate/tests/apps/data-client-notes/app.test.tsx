import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeApp } from '../harness.ts'

describeApp(
  'data-client-notes',
  () => {
    const author = { id: 'a', name: 'Ann' }
    let notes = [
      { id: '1', text: 'Milk', pinned: true, author },
      { id: '2', text: 'Bread', pinned: false, author },
    ]
    return ({ method, path, body }) => {
      if (path === '/motto') {
        return { body: { text: 'Carpe diem' } }
      }
      const note = notes.find(({ id }) => path === `/notes/${id}`)
      if (path === '/notes' && method === 'POST') {
        const created = { id: '3', pinned: false, author, ...body }
        notes = [...notes, created]
        return { status: 201, body: created }
      }
      if (path === '/notes') {
        return { body: notes }
      }
      if (method === 'PATCH' && note) {
        notes = notes.map((one) => (one === note ? { ...one, ...body } : one))
        return { body: { ...note, ...body } }
      }
      if (method === 'DELETE' && note) {
        notes = notes.filter((one) => one !== note)
        return { body: note }
      }
      return note && { body: note }
    }
  },
  (open) => {
    test('shows, pins, creates and deletes', async () => {
      await open()
      expect(await screen.findByText('Carpe diem')).toBeTruthy()
      expect(await screen.findByText('Milk by Ann')).toBeTruthy()
      expect(await screen.findByText('1 pinned')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'Pin Bread' }))
      expect(await screen.findByText('2 pinned')).toBeTruthy()
      fireEvent.change(screen.getByLabelText('Text'), { target: { value: 'Call' } })
      fireEvent.click(screen.getByRole('button', { name: 'Add' }))
      expect(await screen.findByText('Call by Ann')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'Delete Milk' }))
      await waitFor(() => expect(screen.queryByText('Milk by Ann')).toBeNull())
    })
  },
)
