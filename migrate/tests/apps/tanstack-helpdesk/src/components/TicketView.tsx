import { useAgentNames } from '../api/agents'
import { useAssignTicket, useDeleteTicket, useTicket, useUpdateTicket } from '../api/tickets'
import { messageOf } from '../lib/client'
import type { Priority, Status } from '../types'
import { Replies } from './Replies'

const STATUSES: readonly Status[] = ['open', 'waiting', 'closed']
const PRIORITIES: readonly Priority[] = ['low', 'normal', 'urgent']

export function TicketView({ id, onBack }: { id: string; onBack: () => void }) {
  const { data: ticket, isLoading, error, refetch } = useTicket(id)
  const { data: names } = useAgentNames()
  const update = useUpdateTicket()
  const assign = useAssignTicket()
  const remove = useDeleteTicket({ onSuccess: onBack })

  if (isLoading) return <p>Loading the ticket…</p>
  if (error) {
    return (
      <p role="alert">
        {messageOf(error)} <button onClick={() => void refetch()}>Try again</button>
      </p>
    )
  }
  if (!ticket) return null
  return (
    <article aria-label={ticket.subject}>
      <button onClick={onBack}>Back</button>
      <h2>{ticket.subject}</h2>
      <p>{ticket.text}</p>
      <label>
        <input
          type="checkbox"
          checked={ticket.watched}
          onChange={({ target }) => update.mutate({ id, watched: target.checked })}
        />
        Watch
      </label>
      <select
        aria-label="Ticket status"
        value={ticket.status}
        onChange={({ target }) => update.mutate({ id, status: target.value as Status })}
      >
        {STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
      <select
        aria-label="Priority"
        value={ticket.priority}
        onChange={({ target }) => update.mutate({ id, priority: target.value as Priority })}
      >
        {PRIORITIES.map((priority) => (
          <option key={priority}>{priority}</option>
        ))}
      </select>
      <select
        aria-label="Assignee"
        disabled={assign.isPending}
        value={ticket.assignee?.id ?? ''}
        onChange={({ target }) => assign.mutate({ id, agentId: target.value || null })}
      >
        <option value="">Nobody</option>
        {names?.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.name}
          </option>
        ))}
      </select>
      <p>{ticket.replyCount} replies</p>
      <Replies ticketId={id} />
      <button disabled={remove.isPending} onClick={() => remove.mutate(id)}>
        Delete
      </button>
      {remove.error && <p role="alert">{messageOf(remove.error)}</p>}
    </article>
  )
}
