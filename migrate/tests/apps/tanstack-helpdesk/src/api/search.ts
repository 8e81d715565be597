import { useQuery } from '@tanstack/react-query'
import { api } from '../lib/client'
import type { Ticket } from '../types'

export function useSearch(text: string) {
  return useQuery({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<Ticket[]>('/search', { params: { q: text }, signal })
      return data
    },
    enabled: text.length > 1,
  })
}
