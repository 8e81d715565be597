import { useState } from 'react'
import { useTeams } from '../api/agents'
import { type TicketFilter, useCloseTickets, usePrefetchTicket, useTickets } from '../api/tickets'
import { messageOf } from '../lib/client'
import type { Status } from '../types'

export function TicketList({ onOpen }: { onOpen: (id: string) => void }) {
  const [filter, setFilter] = useState<TicketFilter>({ page: 1 })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { data, isPending, isError, error, isPlaceholderData } = useTickets(filter)
  const { data: teams = [] } = useTeams()
  const prefetch = usePrefetchTicket()
  const close = useCloseTickets()

  if (isPending) return <p>Loading tickets…</p>
  if (isError) return <p role="alert">{messageOf(error)}</p>
  const { page, total, totalPages } = data.meta
  return (
    <section aria-label="Tickets" style={{ opacity: isPlaceholderData ? 0.5 : 1 }}>
      <select
        aria-label="Status"
        value={filter.status ?? ''}
        onChange={({ target }) =>
          setFilter({ ...filter, status: (target.value || undefined) as Status | undefined, page: 1 })
        }
      >
        <option value="">Any</option>
        <option value="open">Open</option>
        <option value="waiting">Waiting</option>
        <option value="closed">Closed</option>
      </select>
      <select
        aria-label="Team"
        value={filter.teamId ?? ''}
        onChange={({ target }) => setFilter({ ...filter, teamId: target.value || undefined, page: 1 })}
      >
        <option value="">All teams</option>
        {teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <ul aria-label="List of tickets">
        {data.data.map((ticket) => (
          <li key={ticket.id}>
            <input
              type="checkbox"
              aria-label={`Choose ${ticket.subject}`}
              checked={chosen.includes(ticket.id)}
              onChange={({ target }) =>
                setChosen(target.checked ? [...chosen, ticket.id] : chosen.filter((id) => id !== ticket.id))
              }
            />
            <button onMouseEnter={() => prefetch(ticket.id)} onClick={() => onOpen(ticket.id)}>
              {ticket.subject}
            </button>
            <span>
              {ticket.status}, {ticket.assignee?.name ?? 'nobody'}, {ticket.replyCount} replies
            </span>
          </li>
        ))}
      </ul>
      <p>
        {total} tickets, page {page} of {totalPages}
      </p>
      <button disabled={page <= 1} onClick={() => setFilter({ ...filter, page: page - 1 })}>
        Previous
      </button>
      <button
        disabled={page >= totalPages || isPlaceholderData}
        onClick={() => setFilter({ ...filter, page: page + 1 })}
      >
        Next
      </button>
      <button
        disabled={chosen.length === 0 || close.isPending}
        onClick={() => close.mutate([...chosen], { onSuccess: () => setChosen([]) })}
      >
        Close chosen
      </button>
    </section>
  )
}
