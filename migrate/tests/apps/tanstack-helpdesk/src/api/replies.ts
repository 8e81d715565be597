import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/client'
import type { Reply, ReplyPage } from '../types'
import { ticketKeys } from './tickets'

const replyKeys = { list: (ticketId: string) => ['replies', ticketId] as const }

async function getReplies(ticketId: string, cursor: string | null): Promise<ReplyPage> {
  const { data } = await api.get<ReplyPage>(`/tickets/${ticketId}/replies`, { params: { cursor } })
  return data
}

async function addReply({ ticketId, text }: { ticketId: string; text: string }): Promise<Reply> {
  const { data } = await api.post<Reply>(`/tickets/${ticketId}/replies`, { text })
  return data
}

export function useReplies(ticketId: string) {
  return useInfiniteQuery({
    queryKey: replyKeys.list(ticketId),
    queryFn: ({ pageParam }) => getReplies(ticketId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  })
}

export function useAddReply({ onSuccess }: { onSuccess: () => void }) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: addReply,
    onSuccess: (reply) => {
      queryClient.invalidateQueries({ queryKey: replyKeys.list(reply.ticketId) })
      queryClient.invalidateQueries({ queryKey: ticketKeys.detail(reply.ticketId) })
      queryClient.invalidateQueries({ queryKey: ticketKeys.lists() })
      onSuccess()
    },
  })
}
