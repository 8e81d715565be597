import type { APIEvent } from '@solidjs/start/server'
import { tasks } from '../../../server/tasks'

export function GET({ request }: APIEvent) {
  const done = new URL(request.url).searchParams.get('done')
  return Response.json(tasks.filter((task) => done === null || String(task.done) === done))
}

export async function POST({ request }: APIEvent) {
  const task = { id: String(tasks.length + 1), done: false, ...(await request.json()) }
  tasks.push(task)
  return Response.json(task, { status: 201 })
}
