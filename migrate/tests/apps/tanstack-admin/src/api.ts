import ky from 'ky'
import type { Invite, Member, Team } from './types'

const api = ky.create({ prefixUrl: 'https://api.test/api', headers: { 'X-App': 'admin' }, retry: 0 })

export const api$ = {
  teams: () => api.get('teams').json<Team[]>(),
  team: (slug: string) => api.get(`teams/${slug}`).json<Team>(),
  members: (teamId: number, role?: string) =>
    api.get('members', { searchParams: { teamId, ...(role ? { role } : {}) } }).json<Member[]>(),
  invite: (teamId: number, invite: Invite) => api.post(`teams/${teamId}/invites`, { json: invite }).json<Member>(),
  rename: (id: number, name: string) => api.patch(`members/${id}`, { json: { name } }).json<Member>(),
  remove: (id: number) => api.delete(`members/${id}`),
}
