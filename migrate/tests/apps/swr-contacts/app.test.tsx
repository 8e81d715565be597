import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeApp } from '../harness.ts'

describeApp(
  'swr-contacts',
  () => {
    const groups = [{ id: 'g1', title: 'Family' }]
    let contacts = [
      { id: '1', name: 'Ann', email: 'ann@example.test', favorite: false, group: groups[0] ?? null },
      { id: '2', name: 'Bob', email: 'bob@example.test', favorite: true, group: null },
    ]
    return ({ method, path, search, body, headers }) => {
      const id = path.split('/')[2]
      const contact = contacts.find((one) => one.id === id)
      if (headers['authorization'] !== 'Token guest') {
        return { status: 401, body: {} }
      }
      if (path.startsWith('/groups/')) {
        return { body: groups[0] }
      }
      if (path === '/contacts' && method === 'POST') {
        const created = { id: String(contacts.length + 1), favorite: false, group: null, ...body }
        contacts = [...contacts, created]
        return { status: 201, body: created }
      }
      if (path === '/contacts') {
        return {
          body: contacts.filter(({ name }) => name.toLowerCase().includes((search.get('search') ?? '').toLowerCase())),
        }
      }
      if (method === 'PATCH' && contact) {
        contacts = contacts.map((one) => (one === contact ? { ...one, ...body } : one))
        return { body: contacts.find((one) => one.id === id) }
      }
      if (method === 'DELETE' && contact) {
        contacts = contacts.filter((one) => one !== contact)
        return { body: contact }
      }
      return contact && { body: contact }
    }
  },
  (open) => {
    test('searches, and opens a contact with its group', async () => {
      await open()
      const list = await screen.findByRole('list', { name: 'Contacts' })
      expect(within(list).getAllByRole('listitem')).toHaveLength(2)
      fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'an' } })
      await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
      fireEvent.click(screen.getByRole('button', { name: 'Ann' }))
      expect(await screen.findByText('Family')).toBeTruthy()
    })

    test('creates, changes and deletes', async () => {
      const calls = await open()
      await screen.findByRole('list', { name: 'Contacts' })
      fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Cid' } })
      fireEvent.click(screen.getByRole('button', { name: 'Add' }))
      fireEvent.click(await screen.findByRole('button', { name: 'Cid' }))
      expect(await screen.findByText('Cid@example.test')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'Favorite' }))
      expect(await screen.findByRole('button', { name: '★ Cid' })).toBeTruthy()
      expect(calls.find(({ method }) => method === 'PATCH')).toMatchObject({
        path: '/contacts/3',
        body: { favorite: true },
      })
      fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
      await waitFor(() => expect(screen.queryByRole('button', { name: '★ Cid' })).toBeNull())
      expect(await screen.findByText('Nobody')).toBeTruthy()
    })
  },
)
