export interface Team {
  id: number
  slug: string
  name: string
  seats: number
}

export type Role = 'admin' | 'guest'

export interface Member {
  id: number
  teamId: number
  name: string
  role: Role
  lastSeen: string | null
}

export interface Invite {
  name: string
  role: Role
}
