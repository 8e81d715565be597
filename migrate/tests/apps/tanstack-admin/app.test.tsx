import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeApp } from '../harness.ts'

describeApp(
  'tanstack-admin',
  () => {
    const teams = [
      { id: 1, slug: 'red', name: 'Red', seats: 2 },
      { id: 2, slug: 'blue', name: 'Blue', seats: 1 },
    ]
    let members = [
      { id: 1, teamId: 1, name: 'Ann', role: 'admin', lastSeen: null },
      { id: 2, teamId: 1, name: 'Bob', role: 'guest', lastSeen: '2030-01-01' },
      { id: 3, teamId: 2, name: 'Cid', role: 'guest', lastSeen: null },
    ]
    return ({ method, path, search, body, headers }) => {
      const [, , kind, id, rest] = path.split('/')
      if (headers['x-app'] !== 'admin') {
        return { status: 400, body: { message: 'Which app?' } }
      }
      if (kind === 'teams' && rest === 'invites') {
        const member = { id: 9, teamId: Number(id), lastSeen: null, ...body }
        members = [...members, member]
        teams.find((team) => team.id === Number(id))!.seats += 1
        return { status: 201, body: member }
      }
      if (kind === 'teams') {
        return { body: teams }
      }
      if (method === 'PATCH') {
        members = members.map((member) => (member.id === Number(id) ? { ...member, ...body } : member))
        return { body: members.find((member) => member.id === Number(id)) }
      }
      if (method === 'DELETE') {
        members = members.filter((member) => member.id !== Number(id))
        return { status: 204 }
      }
      return {
        body: members.filter(
          (member) =>
            member.teamId === Number(search.get('teamId')) &&
            (!search.get('role') || member.role === search.get('role')),
        ),
      }
    }
  },
  (open) => {
    const rows = async (): Promise<number> =>
      within(await screen.findByRole('list', { name: 'Members' })).queryAllByRole('listitem').length

    test('shows the members of a team, by role', async () => {
      const calls = await open()
      fireEvent.click(await screen.findByRole('button', { name: 'Red: 2' }))
      await waitFor(async () => expect(await rows()).toBe(2))
      fireEvent.change(screen.getByLabelText('Role'), { target: { value: 'guest' } })
      await waitFor(async () => expect(await rows()).toBe(1))
      expect(calls.filter(({ path }) => path === '/api/members').map(({ search }) => search.get('role'))).toEqual([
        null,
        'guest',
      ])
    })

    test('invites, renames and removes', async () => {
      const calls = await open()
      fireEvent.click(await screen.findByRole('button', { name: 'Red: 2' }))
      fireEvent.click(await screen.findByRole('button', { name: 'Invite Zoe' }))
      expect(await screen.findByText('Zoe (guest)')).toBeTruthy()
      expect(await screen.findByText('Zoe is invited')).toBeTruthy()
      expect(await screen.findByRole('button', { name: 'Red: 3' })).toBeTruthy()
      fireEvent.change(screen.getByLabelText('Name of Bob'), { target: { value: 'Rob' } })
      fireEvent.click(screen.getByRole('button', { name: 'Rename Bob' }))
      expect(await screen.findByText('Rob (guest)')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'Remove Ann' }))
      await waitFor(() => expect(screen.queryByText('Ann (admin)')).toBeNull())
      expect(await screen.findByText('Removed')).toBeTruthy()
      expect(calls.find(({ method }) => method === 'PATCH')).toMatchObject({
        path: '/api/members/2',
        body: { name: 'Rob' },
      })
      expect(calls.find(({ method }) => method === 'DELETE')!.path).toBe('/api/members/1')
    })
  },
)
