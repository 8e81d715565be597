import { toast } from '../lib/toasts'
import type { Priority, Status, Ticket } from '../types'
import { Tickets, assignTicketEndpoint, closeTicketsEndpoint, getStats } from '../resources'
import { useController, useDLE, useMutation } from 'restitch/react'

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

export function useTickets(filter: TicketFilter) {
  return useDLE({ endpoint: Tickets.getList, keepPrevious: true }, { status: filter.status, teamId: filter.teamId, page: filter.page })
}

export function useTicket(id: string) {
  return useDLE(Tickets.get, { id })
}

export function usePrefetchTicket() {
  const controller = useController()
  return (id: string) => {
    void controller.fetchIfStale(Tickets.get, { id })
  }
}

export function useCreateTicket({ onSuccess }: { onSuccess: (ticket: Ticket) => void }) {
  const controller = useController()
  return useMutation(Tickets.create, {
    onSuccess: (ticket) => {
      controller.expireAll(getStats)
      toast(`Ticket ${ticket.id} is open`)
      onSuccess(ticket)
    },
  })
}

export function useUpdateTicket() {
  const controller = useController()
  return useMutation(Tickets.partialUpdate, {
    onError: (_error) => {
      toast('The change was not saved')
    },
    onSettled: () => {
      controller.expireAll(getStats)
    },
  })
}

export function useDeleteTicket({ onSuccess }: { onSuccess: () => void }) {
  const controller = useController()
  return useMutation(Tickets.delete, {
    onSuccess: (_data, id) => {
      controller.expireAll(getStats)
      onSuccess()
    },
  })
}

export function useAssignTicket() {
  const controller = useController()
  return useMutation(assignTicketEndpoint, {
    onSuccess: (ticket) => {
      controller.expireAll(Tickets.getList)
    },
  })
}

export function useCloseTickets() {
  const controller = useController()
  return useMutation(closeTicketsEndpoint, {
    onSuccess: (tickets) => {
      toast(`${tickets.length} tickets are closed`)
      Promise.all([controller.expireAll(Tickets.getList), controller.expireAll(Tickets.get)])
      controller.expireAll(getStats)
    },
  })
}
