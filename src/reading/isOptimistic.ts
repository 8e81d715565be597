import { isStandIn } from '../base/standIn.ts'
import { originOf } from '../rows/origin.ts'

/**
 * True for a record that was created optimistically and has no primary key from the server yet.
 *
 * @example
 * todos.map((todo) => ({ key: todo.pk(), pending: isOptimistic(todo) }))
 * @see docs/api/isOptimistic.md
 */
export function isOptimistic(entity: unknown): boolean {
  const row = originOf(entity)
  return row !== undefined && isStandIn(row.pk)
}
