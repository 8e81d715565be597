import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api$ } from './api'
import type { Member } from './types'
import { useInvite, useMembers } from './useTeam'

function Row({ member, onRemove }: { member: Member; onRemove: (id: number) => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState(member.name)
  const rename = useMutation({
    mutationFn: (next: string) => api$.rename(member.id, next),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['members'] }),
  })
  return (
    <li>
      {member.name} ({member.role})
      <input aria-label={`Name of ${member.name}`} value={name} onChange={(event) => setName(event.target.value)} />
      <button onClick={() => rename.mutate(name)}>Rename {member.name}</button>
      <button onClick={() => onRemove(member.id)}>Remove {member.name}</button>
    </li>
  )
}

export function Members({ teamId }: { teamId: number | undefined }) {
  const queryClient = useQueryClient()
  const [role, setRole] = useState('')
  const [message, setMessage] = useState('')
  const members = useMembers(teamId, role || undefined)
  const invite = useInvite((name) => setMessage(`${name} is invited`))
  const { mutate: remove } = useMutation({
    mutationFn: api$.remove,
    onSuccess: () => {
      setMessage('Removed')
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['members'] }),
  })
  if (members.isLoading) return <p>Loading members…</p>
  if (members.error) return <p role="alert">{members.error.message}</p>
  return (
    <section>
      <select aria-label="Role" value={role} onChange={(event) => setRole(event.target.value)}>
        <option value="">all</option>
        <option value="admin">admin</option>
        <option value="guest">guest</option>
      </select>
      <button onClick={() => queryClient.invalidateQueries({ queryKey: ['members'] })}>Refresh</button>
      <ul aria-label="Members">
        {members.data?.map((member) => (
          <Row key={member.id} member={member} onRemove={remove} />
        ))}
      </ul>
      {teamId !== undefined && (
        <button onClick={() => invite.mutate({ teamId, invite: { name: 'Zoe', role: 'guest' } })}>Invite Zoe</button>
      )}
      {invite.isError && <p role="alert">{invite.error.message}</p>}
      <p>{message}</p>
    </section>
  )
}
