import { Tasks } from '$lib/tasks'

/** It warms the store, and returns nothing that could become stale. */
export async function load({ parent, url }) {
  const { store } = await parent()
  const filter = url.searchParams.has('open') ? { done: false } : undefined
  await store.controller.fetchIfStale(Tasks.getList, filter)
  return { filter }
}
