import { error } from '@sveltejs/kit'
import { Tasks } from '$lib/tasks'
import type { NetworkError } from 'restitch'

export async function load({ parent, params: { id } }) {
  const { store } = await parent()
  await store.controller
    .fetchIfStale(Tasks.get, { id })
    .catch(({ status, message }: NetworkError) => error(status, message))
  return { id }
}
