import type { ActionTypes } from '../requests/actions.ts'
import type { HistoryEvent } from './history.ts'
import { EXPIREALL, GC, INVALIDATE, INVALIDATEALL, RESET, SET, SET_RESPONSE } from '../requests/actionTypes.ts'

/** An action as the history keeps it. */
export function createEvent(action: ActionTypes, id: number, at: number, isJoined: boolean): HistoryEvent {
  const { key, endpoint, args, meta, response, error } = action as Partial<Record<string, any>>
  const isResponse = action.type === SET_RESPONSE
  return {
    id,
    at,
    type: action.type.replace('rdc/', ''),
    about: aboutOf(action),
    label: labelOf(action),
    key,
    args: args && argsText(args),
    requestId: meta?.requestId,
    isMutation: endpoint?.sideEffect === true,
    auto: meta?.auto,
    isJoined,
    took: isResponse && meta.sent !== undefined ? meta.date - meta.fetchedAt : undefined,
    error: isResponse && error ? String(response?.message ?? response) : undefined,
    touched: [],
    touchedCount: 0,
    changedCount: 0,
    changes: [],
    notified: [],
  }
}

/** The key of an action's endpoint, or what else it is about. */
function aboutOf(action: ActionTypes): string {
  switch (action.type) {
    case SET:
      return schemaName(action.schema)
    case GC:
      return `${action.entities.length} records, ${action.endpoints.length} results`
    case INVALIDATEALL:
    case EXPIREALL:
      return 'all matching keys'
    case RESET:
      return 'the whole store'
    default:
      return (action as { key?: string }).key ?? ''
  }
}

/** An action as the cause of something: `PATCH /todo/5`, `controller.set(Todo)`. */
function labelOf(action: ActionTypes): string {
  switch (action.type) {
    case SET:
      return `controller.set(${schemaName(action.schema)})`
    case SET_RESPONSE:
      return action.meta.sent === undefined
        ? `controller.${action.error ? 'setError' : 'setResponse'}() for ${action.key}`
        : action.key
    case INVALIDATE:
      return 'controller.invalidate()'
    case INVALIDATEALL:
      return 'controller.invalidateAll()'
    case EXPIREALL:
      return 'controller.expireAll()'
    case RESET:
      return 'controller.resetEntireStore()'
    case GC:
      return 'the garbage collector'
    default:
      return (action as { key?: string }).key ?? (action as { type: string }).type
  }
}

function schemaName(schema: any): string {
  return String(schema?.key ?? schema?.collection?.key ?? schema?.constructor?.name)
}

/** Arguments as a short text. */
function argsText(args: readonly unknown[]): string {
  try {
    const text = JSON.stringify(args).slice(1, -1)
    return text.length > 200 ? `${text.slice(0, 200)}…` : text
  } catch {
    return '…'
  }
}
