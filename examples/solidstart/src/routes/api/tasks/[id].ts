import type { APIEvent } from '@solidjs/start/server'
import { tasks } from '../../../server/tasks'

export function GET({ params }: APIEvent) {
  const task = tasks.find(({ id }) => id === params.id)
  return task ? Response.json(task) : Response.json({ message: 'There is no such task' }, { status: 404 })
}

export async function PATCH({ params, request }: APIEvent) {
  const task = tasks.find(({ id }) => id === params.id)
  return task
    ? Response.json(Object.assign(task, await request.json()))
    : Response.json({ message: 'There is no such task' }, { status: 404 })
}
