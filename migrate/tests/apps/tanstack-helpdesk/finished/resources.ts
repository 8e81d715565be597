import { Collection, Entity, resource, RestEndpoint, type RestGenerics } from 'restitch'
import type { Meta, Priority, Role, Stats, Status } from './types'
import { session } from './lib/session'

export class Team extends Entity {
  id = ''
  name = ''
  static override key = 'Team'
}

export class Agent extends Entity {
  id = ''
  name = ''
  email = ''
  role: Role = 'agent'
  team = Team.fromJS()
  static override key = 'Agent'
  static override schema = { team: Team }
}

export class Notification extends Entity {
  id = ''
  text = ''
  read = false
  ticketId = ''
  static override key = 'Notification'
}

export class Reply extends Entity {
  id = ''
  ticketId = ''
  text = ''
  author = Agent.fromJS()
  static override key = 'Reply'
  static override schema = { author: Agent }
}

export class Ticket extends Entity {
  id = ''
  subject = ''
  text = ''
  status: Status = 'open'
  priority: Priority = 'low'
  teamId = ''
  assignee: Agent | null = null
  replyCount = 0
  watched = false
  static override key = 'Ticket'
  static override schema = { assignee: Agent }
}

class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getHeaders(headers: { [name: string]: string }): HeadersInit {
    const token = session.getToken()
    return { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) }
  }
}

export const Teams = resource({
  urlPrefix: 'https://api.test',
  path: '/teams/:id',
  schema: Team,
  Endpoint: ApiEndpoint,
}).extend({
  getList: { dataExpiryLength: 10 * 60 * 1000 },
})

export const NotificationsResource = resource({
  urlPrefix: 'https://api.test',
  path: '/notifications/:id',
  schema: Notification,
  Endpoint: ApiEndpoint,
}).extend({
  getList: { pollFrequency: 30000 },
})

export const RepliesResource = resource({
  urlPrefix: 'https://api.test',
  path: '/tickets/:ticketId/replies/:id',
  schema: Reply,
  paginationField: 'cursor',
  Endpoint: ApiEndpoint,
}).extend({
  getList: {
    schema: { items: new Collection([Reply]), nextCursor: null as string | null },
    getNextPage: (last) => last.nextCursor,
  },
})

export const Tickets = resource({
  urlPrefix: 'https://api.test',
  path: '/tickets/:id',
  schema: Ticket,
  optimistic: true,
  Endpoint: ApiEndpoint,
}).extend({
  getList: { schema: { data: new Collection([Ticket]), meta: {} as Meta } },
})

export const Agents = resource({
  urlPrefix: 'https://api.test',
  path: '/agents/:id',
  schema: Agent,
  body: {} as Partial<Pick<Agent, 'name' | 'email' | 'role'>> & { teamId?: string },
  Endpoint: ApiEndpoint,
})

export const getMe = new ApiEndpoint({
  urlPrefix: 'https://api.test',
  path: '/me',
  schema: Agent,
  dataExpiryLength: Infinity,
})

export const signIn = new ApiEndpoint({
  urlPrefix: 'https://api.test',
  path: '/auth/login',
  method: 'POST',
  process: (value: { token: string; agent: Partial<Agent> }) => value,
})

export const readNotificationEndpoint = new ApiEndpoint({
  urlPrefix: 'https://api.test',
  path: '/notifications/:notificationId/read',
  method: 'POST',
  body: undefined,
  schema: Notification,
  getOptimisticResponse: (_snapshot, { notificationId }) => ({ id: notificationId, read: true }),
})

export const postRead = new ApiEndpoint({
  urlPrefix: 'https://api.test',
  path: '/notifications/read',
  method: 'POST',
  body: undefined,
})

export const getSearch = new ApiEndpoint({
  urlPrefix: 'https://api.test',
  path: '/search',
  schema: new Collection([Ticket]),
  searchParams: {} as { [name: string]: any } | undefined,
})

export const updateMe = new ApiEndpoint({
  urlPrefix: 'https://api.test',
  path: '/me',
  method: 'PATCH',
  schema: Agent,
})

export const getStats = new ApiEndpoint({
  urlPrefix: 'https://api.test',
  path: '/stats',
  pollFrequency: 60000,
  process: (value: Stats) => value,
})

export const assignTicketEndpoint = new ApiEndpoint({
  urlPrefix: 'https://api.test',
  path: '/tickets/:ticketId/assign',
  method: 'POST',
  schema: Ticket,
})

export const closeTicketsEndpoint = new ApiEndpoint({
  urlPrefix: 'https://api.test',
  path: '/tickets/close',
  method: 'POST',
  schema: [Ticket],
})
