export const STATUSES = ['backlog', 'todo', 'doing', 'review', 'done'] as const
