import { useQuery } from '@tanstack/react-query'
import { api } from '../lib/client'
import type { Stats } from '../types'

export const statsKeys = { all: ['stats'] as const }

export const useStats = () =>
  useQuery({
    queryKey: statsKeys.all,
    queryFn: () => api.get<Stats>('/stats').then(({ data }) => data),
    refetchInterval: 60_000,
  })
