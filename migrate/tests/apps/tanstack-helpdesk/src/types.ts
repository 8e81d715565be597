export type Role = 'agent' | 'lead'
export type Status = 'open' | 'waiting' | 'closed'
export type Priority = 'low' | 'normal' | 'urgent'

export interface Team {
  id: string
  name: string
}

export interface Agent {
  id: string
  name: string
  email: string
  role: Role
  team: Team
}

export interface Ticket {
  id: string
  subject: string
  text: string
  status: Status
  priority: Priority
  teamId: string
  assignee: Agent | null
  replyCount: number
  watched: boolean
}

export interface Reply {
  id: string
  ticketId: string
  text: string
  author: Agent
}

export interface Notification {
  id: string
  text: string
  read: boolean
  ticketId: string
}

export interface Stats {
  open: number
  waiting: number
  closed: number
}

export interface Meta {
  page: number
  total: number
  totalPages: number
}

export interface TicketPage {
  data: Ticket[]
  meta: Meta
}

export interface ReplyPage {
  items: Reply[]
  nextCursor: string | null
}
