import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/client'
import type { Notification } from '../types'

const KEY = ['notifications'] as const

async function getNotifications(): Promise<Notification[]> {
  const { data } = await api.get<Notification[]>('/notifications')
  return data
}

async function readNotification(id: string): Promise<Notification> {
  const { data } = await api.post<Notification>(`/notifications/${id}/read`)
  return data
}

async function readAll(): Promise<void> {
  await api.post('/notifications/read')
}

export const useNotifications = () =>
  useQuery({ queryKey: KEY, queryFn: getNotifications, refetchInterval: 30_000, refetchIntervalInBackground: false })

export function useReadNotification() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: readNotification,
    onMutate: (id) => {
      queryClient.setQueryData<Notification[]>(KEY, (all) =>
        all?.map((one) => (one.id === id ? { ...one, read: true } : one)),
      )
    },
    onError: () => queryClient.invalidateQueries({ queryKey: KEY }),
  })
}

export function useReadAll() {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: readAll, onSuccess: () => queryClient.invalidateQueries({ queryKey: KEY }) })
}
