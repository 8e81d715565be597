import { type ActionTypes, actionTypes, type FetchAction, type Manager, type Middleware } from 'restitch'
import { createSignal, type Signal } from './signal.ts'

/** An action as the panel lists it: without the answer, which would be kept alive by it. */
export interface Entry {
  readonly number: number
  readonly at: number
  readonly type: string
  /** The key of the endpoint, or what else it is about. */
  readonly about: string
  readonly args?: readonly unknown[] | undefined
  readonly error?: string | undefined
  /** How long the answer took, in ms. */
  readonly took?: number | undefined
}

const MOST = 400
const entries: Entry[] = []
const flights = new Map<string, FetchAction>()
let number = 0

/** Told of each action and each request that ends; silent while nobody looks. */
export const insideSignal: Signal = createSignal()

/** The last actions, newest first. */
export const readEntries = (): Entry[] => entries.toReversed()

/** Requests that have not been answered, oldest first. */
export const readFlights = (): FetchAction[] => [...flights.values()]

export function clearEntries(): void {
  entries.length = 0
  insideSignal.touch()
}

/** Sees every action on behalf of the panel "Inside". It stands first, since later managers take some of them. */
export class InsideManager implements Manager {
  middleware: Middleware = (controller) => (next) => async (action) => {
    entries.push(entryOf(action, controller.clock.now()))
    // Cut rarely: taking out the first of an array moves all others.
    if (entries.length > MOST * 2) {
      entries.splice(0, MOST)
    }
    if (action.type === actionTypes.FETCH) {
      follow(action)
    }
    await next(action)
    insideSignal.touch()
  }

  cleanup(): void {
    flights.clear()
  }
}

function follow(action: FetchAction): void {
  const { requestId, promise } = action.meta
  flights.set(requestId, action)
  const end = (): void => {
    flights.delete(requestId)
    insideSignal.touch()
  }
  promise.then(end, end)
}

function entryOf(action: ActionTypes, at: number): Entry {
  const isAnswer = action.type === actionTypes.SET_RESPONSE
  return {
    number: (number += 1),
    at,
    type: action.type.replace('rdc/', ''),
    about: aboutOf(action),
    ...('args' in action && { args: action.args }),
    ...(isAnswer && action.error && { error: String(action.response?.message ?? action.response) }),
    // What the app wrote by itself took no time.
    ...(isAnswer && action.meta.date > action.meta.fetchedAt && { took: action.meta.date - action.meta.fetchedAt }),
  }
}

function aboutOf(action: ActionTypes): string {
  switch (action.type) {
    case actionTypes.SET:
      return String(action.schema?.key ?? action.schema?.collection?.key ?? 'records')
    case actionTypes.GC:
      return `${action.entities.length} rows, ${action.endpoints.length} results`
    case actionTypes.INVALIDATEALL:
    case actionTypes.EXPIREALL:
      return 'all keys that pass'
    case actionTypes.RESET:
      return 'everything'
    default:
      return action.key
  }
}
