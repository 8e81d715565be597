import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api$ } from './api'
import type { Invite } from './types'

export function useTeams() {
  return useQuery({ queryKey: ['teams'], queryFn: api$.teams })
}

export const useMembers = (teamId: number | undefined, role?: string) =>
  useQuery({
    queryKey: ['members', teamId, role],
    queryFn: () => api$.members(teamId!, role),
    enabled: !!teamId,
    refetchInterval: 60_000,
  })

export function useInvite(onDone: (name: string) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ teamId, invite }: { teamId: number; invite: Invite }) => api$.invite(teamId, invite),
    onSuccess: async (member) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['members'] }),
        queryClient.invalidateQueries({ queryKey: ['teams'] }),
      ])
      onDone(member.name)
    },
  })
}
