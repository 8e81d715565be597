import type { Api, Call } from '../harness.ts'

const PAGE = 2

/** The server of a help desk: tickets in pages, replies by cursor, and numbers that only it can count. */
export function createHelpdesk(): Api {
  const teams = [
    { id: '1', name: 'Hardware' },
    { id: '2', name: 'Software' },
  ]
  let agents = [
    { id: '1', name: 'Ann', email: 'ann@help.test', role: 'lead', team: teams[0] },
    { id: '2', name: 'Bo', email: 'bo@help.test', role: 'agent', team: teams[0] },
  ]
  const agent = (id: string) => agents.find((one) => one.id === id) ?? null
  let tickets = [
    ['Printer', 'open', '1', '1'],
    ['Screen', 'waiting', '1', null],
    ['Mouse', 'open', '2', null],
  ].map(([subject, status, teamId, assigneeId], index) => ({
    id: String(index + 1),
    subject,
    text: '',
    status,
    priority: 'normal',
    teamId,
    assigneeId,
    watched: false,
  }))
  const replies = [
    ['1', 'It is on'],
    ['2', 'Really?'],
    ['2', 'Is it loud?'],
  ].map(([authorId, text], index) => ({ id: String(index + 1), ticketId: '1', authorId, text }))
  let notifications = ['Bo replied', 'Ann closed', 'Bo left'].map((text, index) => ({
    id: String(index + 1),
    text,
    read: false,
    ticketId: '1',
  }))

  const show = ({ assigneeId, ...ticket }: (typeof tickets)[number]) => ({
    ...ticket,
    assignee: assigneeId ? agent(assigneeId) : null,
    replyCount: replies.filter(({ ticketId }) => ticketId === ticket.id).length,
  })
  const showReply = ({ authorId, ...reply }: (typeof replies)[number]) => ({ ...reply, author: agent(authorId) })
  const change = (id: string, changes: object): object => {
    tickets = tickets.map((ticket) => (ticket.id === id ? { ...ticket, ...changes } : ticket))
    return show(tickets.find((ticket) => ticket.id === id)!)
  }
  const count = (status: string): number => tickets.filter((ticket) => ticket.status === status).length

  const people = ({ method, path, body }: Call, id: string | undefined) => {
    if (path === '/auth/login') {
      return body.password === 'secret'
        ? { body: { token: 't-1', agent: agents[0] } }
        : { status: 401, body: { message: 'Wrong password' } }
    }
    if (path === '/me' || (method === 'PUT' && id)) {
      const own = id ?? '1'
      agents = agents.map((one) => (one.id === own ? { ...one, ...body } : one))
      return { body: agent(own) }
    }
    if (method === 'POST') {
      const { teamId, ...more } = body
      agents.push({ id: String(agents.length + 1), ...more, team: teams.find((team) => team.id === teamId) })
      return { status: 201, body: agents.at(-1) }
    }
    agents = agents.filter((one) => method !== 'DELETE' || one.id !== id)
    return method === 'DELETE' ? { status: 204 } : { body: agents }
  }

  const page = ({ search }: Call) => {
    const found = tickets.filter(
      ({ status, teamId }) =>
        [status, null, ''].includes(search.get('status')) && [teamId, null, ''].includes(search.get('teamId')),
    )
    const at = Number(search.get('page'))
    const meta = { page: at, total: found.length, totalPages: Math.ceil(found.length / PAGE) }
    return { body: { data: found.slice((at - 1) * PAGE, at * PAGE).map(show), meta } }
  }

  const repliesOf = ({ method, search, body }: Call, ticketId: string) => {
    if (method === 'POST') {
      replies.push({ id: String(replies.length + 1), ticketId, authorId: '1', ...body })
      return { status: 201, body: showReply(replies.at(-1)!) }
    }
    const own = replies.filter((reply) => reply.ticketId === ticketId)
    const from = Number(search.get('cursor') ?? 0)
    const next = from + PAGE
    return {
      body: { items: own.slice(from, next).map(showReply), nextCursor: next < own.length ? String(next) : null },
    }
  }

  const ticket = (call: Call, id: string | undefined, action: string | undefined) => {
    const { method, body } = call
    if (action === 'replies') {
      return repliesOf(call, id!)
    }
    if (action === 'assign') {
      return { body: change(id!, { assigneeId: body.agentId }) }
    }
    if (id === 'close') {
      return { body: body.ids.map((one: string) => change(one, { status: 'closed' })) }
    }
    if (method === 'POST') {
      if (body.subject === '') {
        return { status: 422, body: { message: 'A subject, please' } }
      }
      tickets.push({ id: String(tickets.length + 1), status: 'open', assigneeId: null, watched: false, ...body })
      return { status: 201, body: show(tickets.at(-1)!) }
    }
    if (method === 'PATCH') {
      return body.priority ? { status: 409, body: { message: 'Locked' } } : { body: change(id!, body) }
    }
    if (method === 'DELETE') {
      tickets = tickets.filter((one) => one.id !== id)
      return { status: 204 }
    }
    if (id === undefined) {
      return page(call)
    }
    const found = tickets.find((one) => one.id === id)
    return found && { body: show(found) }
  }

  const notification = ({ method }: Call, id: string | undefined) => {
    const isRead = (one: { id: string }): boolean => method === 'POST' && (id === 'read' || one.id === id)
    notifications = notifications.map((one) => (isRead(one) ? { ...one, read: true } : one))
    return id === 'read' ? { status: 204 } : { body: notifications.find((one) => one.id === id) ?? notifications }
  }

  return (call) => {
    const [, kind, id, action] = call.path.split('/')
    if (kind !== 'auth' && call.headers['authorization'] !== 'Bearer t-1') {
      return { status: 401, body: { message: 'Sign in' } }
    }
    const text = call.search.get('q') ?? ''
    switch (kind) {
      case 'auth':
      case 'me':
        return people(call, undefined)
      case 'agents':
        return people(call, id)
      case 'teams':
        return { body: teams }
      case 'tickets':
        return ticket(call, id, action)
      case 'stats':
        return { body: { open: count('open'), waiting: count('waiting'), closed: count('closed') } }
      case 'search':
        return { body: tickets.filter(({ subject }) => subject!.toLowerCase().includes(text)).map(show) }
      case 'notifications':
        return notification(call, id)
    }
    return undefined
  }
}
