import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/client'
import type { Agent, Role, Team } from '../types'

export interface Invitation {
  name: string
  email: string
  role: Role
  teamId: string
}

async function getAgents(): Promise<Agent[]> {
  const { data } = await api.get<Agent[]>('/agents')
  return data
}

async function inviteAgent(invitation: Invitation): Promise<Agent> {
  const { data } = await api.post<Agent>('/agents', invitation)
  return data
}

async function removeAgent(id: string): Promise<void> {
  await api.delete(`/agents/${id}`)
}

async function setRole({ id, role }: { id: string; role: Role }): Promise<Agent> {
  const { data } = await api.put<Agent>(`/agents/${id}`, { role })
  return data
}

async function getTeams(): Promise<Team[]> {
  const { data } = await api.get<Team[]>('/teams')
  return data
}

export const agentOptions = () => queryOptions({ queryKey: ['agents'], queryFn: getAgents })

export const useAgents = () => useQuery(agentOptions())

/** Names for a menu. */
export const useAgentNames = () =>
  useQuery({ ...agentOptions(), select: (agents) => agents.map(({ id, name }) => ({ id, name })) })

export const useTeams = () => useQuery({ queryKey: ['teams'], queryFn: getTeams, staleTime: 10 * 60 * 1000 })

export function useInviteAgent({ onSuccess }: { onSuccess: () => void }) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: inviteAgent,
    onSuccess: (agent) => {
      queryClient.setQueryData<Agent[]>(agentOptions().queryKey, (agents) => agents && [...agents, agent])
      onSuccess()
    },
  })
}

export function useRemoveAgent() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: removeAgent,
    onMutate: async (id) => {
      await queryClient.cancelQueries({ queryKey: ['agents'] })
      const previous = queryClient.getQueryData<Agent[]>(['agents'])
      queryClient.setQueryData<Agent[]>(['agents'], (agents) => agents?.filter((agent) => agent.id !== id))
      return { previous }
    },
    onError: (_error, _id, context) => queryClient.setQueryData(['agents'], context?.previous),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['agents'] }),
  })
}

export function useSetRole() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: setRole,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['agents'] }),
  })
}
