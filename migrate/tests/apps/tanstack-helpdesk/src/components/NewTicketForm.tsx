import { useState } from 'react'
import { useTeams } from '../api/agents'
import { useCreateTicket } from '../api/tickets'
import { messageOf } from '../lib/client'

export function NewTicketForm({ onCreated }: { onCreated: (id: string) => void }) {
  const [subject, setSubject] = useState('')
  const { data: teams } = useTeams()
  const create = useCreateTicket({ onSuccess: ({ id }) => onCreated(id) })
  const team = teams?.[0]
  return (
    <form
      aria-label="New ticket"
      onSubmit={async (event) => {
        event.preventDefault()
        if (!team) return
        try {
          await create.mutateAsync({ subject, text: '', priority: 'normal', teamId: team.id })
          setSubject('')
        } catch {
          // The form shows the error.
        }
      }}
    >
      <input aria-label="Subject" value={subject} onChange={(event) => setSubject(event.target.value)} />
      <button disabled={create.isPending || !team}>Create</button>
      {create.isError && <p role="alert">{messageOf(create.error)}</p>}
    </form>
  )
}
