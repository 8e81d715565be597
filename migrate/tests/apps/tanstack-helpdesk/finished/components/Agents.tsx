import { useState } from 'react'
import { useAgents, useInviteAgent, useRemoveAgent, useSetRole, useTeams } from '../api/agents'

export function Agents() {
  const [name, setName] = useState('')
  const { data: agents, fetching } = useAgents()
  const { data: teams = [] } = useTeams()
  const invite = useInviteAgent({ onSuccess: () => setName('') })
  const { mutate: remove } = useRemoveAgent()
  const { mutate: setRole, variables, loading } = useSetRole()
  if (!agents) return <p>Loading agents…</p>
  return (
    <section aria-label="Agents">
      {fetching && <p>Refreshing…</p>}
      <ul>
        {agents.map((agent) => (
          <li key={agent.id}>
            {agent.name} ({agent.role}, {agent.team.name})
            <button
              disabled={loading && variables[0].id === agent.id}
              onClick={() => setRole({ id: agent.id }, { role: agent.role === 'lead' ? 'agent' : 'lead' })}
            >
              {agent.role === 'lead' ? `Demote ${agent.name}` : `Promote ${agent.name}`}
            </button>
            <button onClick={() => remove({ id: agent.id })}>Remove {agent.name}</button>
          </li>
        ))}
      </ul>
      <input aria-label="Name of the new agent" value={name} onChange={(event) => setName(event.target.value)} />
      <button
        disabled={invite.loading}
        onClick={() =>
          invite.mutate({ name, email: `${name.toLowerCase()}@help.test`, role: 'agent', teamId: teams[0]!.id })
        }
      >
        Invite
      </button>
    </section>
  )
}
