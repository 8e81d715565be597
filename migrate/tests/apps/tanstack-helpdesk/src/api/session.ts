import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/client'
import { session } from '../lib/session'
import type { Agent } from '../types'

interface Credentials {
  email: string
  password: string
}

interface SignedIn {
  token: string
  agent: Agent
}

async function signIn(credentials: Credentials): Promise<SignedIn> {
  const { data } = await api.post<SignedIn>('/auth/login', credentials)
  return data
}

async function getMe(): Promise<Agent> {
  const { data } = await api.get<Agent>('/me')
  return data
}

async function updateMe(changes: Partial<Pick<Agent, 'name' | 'email'>>): Promise<Agent> {
  const { data } = await api.patch<Agent>('/me', changes)
  return data
}

export const meOptions = () => queryOptions({ queryKey: ['me'], queryFn: getMe, staleTime: Infinity })

export const useMe = () => useQuery(meOptions())

export function useSignIn({ onSuccess }: { onSuccess: () => void }) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: signIn,
    onSuccess: ({ token, agent }) => {
      session.setToken(token)
      queryClient.setQueryData(meOptions().queryKey, agent)
      onSuccess()
    },
  })
}

export function useSignOut({ onSuccess }: { onSuccess: () => void }) {
  const queryClient = useQueryClient()
  return () => {
    session.setToken(null)
    queryClient.clear()
    onSuccess()
  }
}

export function useUpdateMe() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: updateMe,
    onSuccess: () => {
      queryClient.invalidateQueries({ queryKey: ['me'] })
      queryClient.invalidateQueries({ queryKey: ['agents'] })
    },
  })
}
