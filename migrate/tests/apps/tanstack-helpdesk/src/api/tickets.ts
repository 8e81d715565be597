import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/client'
import { toast } from '../lib/toasts'
import type { Priority, Status, Ticket, TicketPage } from '../types'
import { statsKeys } from './stats'

export interface TicketFilter {
  status?: Status
  teamId?: string
  page: number
}

export interface NewTicket {
  subject: string
  text: string
  priority: Priority
  teamId: string
}

export type TicketChange = { id: string } & Partial<Pick<Ticket, 'subject' | 'status' | 'priority' | 'watched'>>

export const ticketKeys = {
  all: ['tickets'] as const,
  lists: () => [...ticketKeys.all, 'list'] as const,
  list: (filter: TicketFilter) => [...ticketKeys.lists(), filter] as const,
  details: () => [...ticketKeys.all, 'detail'] as const,
  detail: (id: string) => [...ticketKeys.details(), id] as const,
}

async function getTickets({ status, teamId, page }: TicketFilter): Promise<TicketPage> {
  const { data } = await api.get<TicketPage>('/tickets', { params: { status, teamId, page } })
  return data
}

async function getTicket(id: string): Promise<Ticket> {
  const { data } = await api.get<Ticket>(`/tickets/${id}`)
  return data
}

async function createTicket(ticket: NewTicket): Promise<Ticket> {
  const { data } = await api.post<Ticket>('/tickets', ticket)
  return data
}

async function updateTicket({ id, ...changes }: TicketChange): Promise<Ticket> {
  const { data } = await api.patch<Ticket>(`/tickets/${id}`, changes)
  return data
}

async function deleteTicket(id: string): Promise<void> {
  await api.delete(`/tickets/${id}`)
}

async function assignTicket({ id, agentId }: { id: string; agentId: string | null }): Promise<Ticket> {
  const { data } = await api.post<Ticket>(`/tickets/${id}/assign`, { agentId })
  return data
}

async function closeTickets(ids: string[]): Promise<Ticket[]> {
  const { data } = await api.post<Ticket[]>('/tickets/close', { ids })
  return data
}

export const ticketOptions = (id: string) =>
  queryOptions({ queryKey: ticketKeys.detail(id), queryFn: () => getTicket(id) })

export function useTickets(filter: TicketFilter) {
  return useQuery({
    queryKey: ticketKeys.list(filter),
    queryFn: () => getTickets(filter),
    placeholderData: keepPreviousData,
  })
}

export function useTicket(id: string) {
  return useQuery(ticketOptions(id))
}

export function usePrefetchTicket() {
  const queryClient = useQueryClient()
  return (id: string) => {
    void queryClient.prefetchQuery(ticketOptions(id))
  }
}

export function useCreateTicket({ onSuccess }: { onSuccess: (ticket: Ticket) => void }) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: createTicket,
    onSuccess: (ticket) => {
      queryClient.invalidateQueries({ queryKey: ticketKeys.lists() })
      queryClient.invalidateQueries({ queryKey: statsKeys.all })
      toast(`Ticket ${ticket.id} is open`)
      onSuccess(ticket)
    },
  })
}

export function useUpdateTicket() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: updateTicket,
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey: ticketKeys.all })
      const previous = queryClient.getQueryData<Ticket>(ticketKeys.detail(change.id))
      queryClient.setQueryData<Ticket>(ticketKeys.detail(change.id), (ticket) => ticket && { ...ticket, ...change })
      return { previous }
    },
    onError: (_error, change, context) => {
      if (context?.previous) {
        queryClient.setQueryData(ticketKeys.detail(change.id), context.previous)
      }
      toast('The change was not saved')
    },
    onSettled: () => {
      queryClient.invalidateQueries({ queryKey: ticketKeys.all })
      queryClient.invalidateQueries({ queryKey: statsKeys.all })
    },
  })
}

export function useDeleteTicket({ onSuccess }: { onSuccess: () => void }) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: deleteTicket,
    onSuccess: (_data, id) => {
      queryClient.removeQueries({ queryKey: ticketKeys.detail(id) })
      queryClient.invalidateQueries({ queryKey: ticketKeys.lists() })
      queryClient.invalidateQueries({ queryKey: statsKeys.all })
      onSuccess()
    },
  })
}

export function useAssignTicket() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: assignTicket,
    onSuccess: (ticket) => {
      queryClient.setQueryData(ticketKeys.detail(ticket.id), ticket)
      queryClient.invalidateQueries({ queryKey: ticketKeys.lists() })
    },
  })
}

export function useCloseTickets() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: closeTickets,
    onSuccess: (tickets) => {
      toast(`${tickets.length} tickets are closed`)
      queryClient.invalidateQueries({ queryKey: ticketKeys.all })
      queryClient.invalidateQueries({ queryKey: statsKeys.all })
    },
  })
}
