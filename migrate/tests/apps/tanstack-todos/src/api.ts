import type { NewTodo, Todo } from './types'

const API_URL = 'https://api.test'

async function request<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`${API_URL}${path}`, {
    headers: { 'Content-Type': 'application/json' },
    ...init,
  })
  if (!response.ok) {
    throw new Error(`Request failed with ${response.status}`)
  }
  if (response.status === 204) {
    return undefined as T
  }
  return response.json()
}

export const fetchTodos = (done: boolean) => request<Todo[]>(`/todos?done=${done}`)

export const fetchTodo = (id: number) => request<Todo>(`/todos/${id}`)

export function createTodo(todo: NewTodo): Promise<Todo> {
  return request('/todos', { method: 'POST', body: JSON.stringify(todo) })
}

export function updateTodo({ id, ...changes }: Partial<Todo> & { id: number }): Promise<Todo> {
  return request(`/todos/${id}`, { method: 'PATCH', body: JSON.stringify(changes) })
}

export async function deleteTodo(id: number): Promise<void> {
  await request(`/todos/${id}`, { method: 'DELETE' })
}

export async function fetchStats(): Promise<{ open: number; done: number }> {
  return request('/stats')
}
