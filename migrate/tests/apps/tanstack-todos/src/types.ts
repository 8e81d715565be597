export type Priority = 'low' | 'normal' | 'high'

export interface User {
  id: number
  name: string
}

export interface Todo {
  id: number
  title: string
  done: boolean
  priority: Priority
  notes?: string
  owner: User
  tags: string[]
}

export interface NewTodo {
  title: string
  done: boolean
}
