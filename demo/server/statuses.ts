export const STATUSES = ['backlog', 'todo', 'doing', 'review', 'done'] as const

/** As people write them. */
export const STATUS_NAMES: Readonly<Record<string, string>> = {
  backlog: 'Backlog',
  todo: 'To do',
  doing: 'In progress',
  review: 'In review',
  done: 'Done',
}
