import { tasks } from '$lib/server/tasks'
import { json } from '@sveltejs/kit'

export function GET({ url }) {
  const done = url.searchParams.get('done')
  return json(tasks.filter((task) => done === null || String(task.done) === done))
}

export async function POST({ request }) {
  const task = { id: String(tasks.length + 1), done: false, ...(await request.json()) }
  tasks.push(task)
  return json(task, { status: 201 })
}
