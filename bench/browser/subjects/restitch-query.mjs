// Our own hooks, where each reader reads a record instead of an endpoint.
import { useQuery } from 'restitch/react'
import { create as createStore, Todo } from './restitch.mjs'

export function create() {
  return { ...createStore(), useCell: (id) => useQuery(Todo, { id }) }
}
