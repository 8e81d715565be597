import { DEV } from '../base/env.ts'
import { warnOnce } from '../base/warn.ts'
import type { Middleware } from '../controller/Middleware.ts'
import type { Controller } from '../controller/Controller.ts'
import { isPlain } from '../base/equal.ts'
import type { State } from '../store/stateShape.ts'
import type { Manager } from './Manager.ts'

/** The options of the manager and of the browser extension, which knows more options than these. */
export interface DevToolsConfig {
  /** The name of the store in the panel. */
  readonly name?: string | undefined
  /** How many actions the panel keeps; twice as many wait for it to open. */
  readonly maxAge?: number | undefined
  /** Connects in production too. */
  readonly production?: boolean | undefined
  /** Milliseconds for which actions are collected before the panel gets them. */
  readonly latency?: number | undefined
  /** Types of actions to leave out, as regular expressions. */
  readonly actionsDenylist?: string | readonly string[] | undefined
  /** Types of actions to show, and no others. */
  readonly actionsAllowlist?: string | readonly string[] | undefined
  /** Says which actions the panel gets. */
  predicate?(state: State, action: ShownAction): boolean
  /** Changes an action for the panel. */
  actionSanitizer?(action: ShownAction, id: number): { readonly type: string }
  /** Changes a state for the panel. */
  stateSanitizer?(state: State, index: number): object
  /** How actions and states become text, and text becomes values again. */
  readonly serialize?: boolean | DevToolsSerialize | undefined
  /** Records a stack trace with each action, or what the function returns for it. */
  readonly trace?: boolean | ((action: ShownAction) => string) | undefined
  readonly traceLimit?: number | undefined
  readonly [option: string]: unknown
}

/** An action as the panel shows it. */
export interface ShownAction {
  readonly type: string
  readonly key?: string | undefined
  readonly args?: readonly unknown[] | undefined
  readonly endpoint?: { readonly name: string; readonly schema?: unknown; readonly sideEffect?: unknown } | undefined
  readonly schema?: unknown
  readonly response?: unknown
  readonly error?: boolean | undefined
  readonly value?: unknown
  readonly meta?: object | undefined
}

interface DevToolsSerialize {
  readonly options?: boolean | Readonly<Record<string, unknown>> | undefined
  replacer?(key: string, value: unknown): unknown
  reviver?(key: string, value: unknown): unknown
}

interface Connection {
  init(state: unknown): void
  send(action: object, state: unknown): void
  subscribe(listener: (message: Message) => void): (() => void) | undefined
}

interface Message {
  readonly type: string
  readonly payload?: { readonly type?: string } | undefined
}

interface Globals {
  readonly __REDUX_DEVTOOLS_EXTENSION__?: { connect(options: object): Connection }
  __DC_CONTROLLERS__?: Map<string, Controller>
}

/**
 * Shows every action, and the state it led to, in the Redux DevTools extension of the browser. In production it does
 * nothing unless it is asked to.
 *
 * @example
 * getDefaultManagers({ devToolsManager: { name: 'Shop', maxAge: 200 } })
 * @see docs/api/DevToolsManager.md
 */
export class DevToolsManager implements Manager {
  declare readonly middleware: Middleware
  declare readonly init: (state: State) => void
  declare readonly cleanup: () => void
  /** How many actions wait for the panel to open. */
  declare maxBufferLength: number

  /** @param skipLogging says which actions are not worth showing */
  constructor(
    { production, name = 'restitch', ...config }: DevToolsConfig = {},
    skipLogging?: (action: { readonly type: string }) => boolean,
  ) {
    let controller: Controller
    let connection: Connection | undefined
    let end: (() => void) | undefined
    let isOpen = false
    this.maxBufferLength = 2 * (config.maxAge ?? 50)
    /** Actions before the panel was opened. */
    let waiting: (readonly [action: object, state: State])[] = []
    const globals = globalThis as Globals

    const send = (action: object, state: State): void => {
      try {
        connection!.send(action, state)
      } catch (error) {
        // A value that cannot be shown must not stop the app.
        console.error(error)
      }
    }
    const hear = ({ type, payload }: Message): void => {
      if (type === 'START') {
        isOpen = true
        for (const [action, state] of waiting) {
          send(action, state)
        }
        waiting = []
      } else if (type === 'STOP') {
        isOpen = false
      }
      // Time travel is read-only: pending requests belong to the present, and would not fit an earlier state.
      else if (payload?.type === 'RESET') {
        void controller.resetEntireStore()
      } else if (DEV && payload?.type?.startsWith('JUMP')) {
        warnOnce(
          'Redux DevTools shows an earlier state. The app stays as it is: time travel is read-only, because requests in flight belong to the present.',
          'info',
        )
      }
    }

    this.middleware = (api) => {
      controller = api
      return (next) => (action) => {
        const isShown = connection !== undefined && !skipLogging?.(action)
        const done = next(action)
        if (isShown) {
          const shown = describeAction(action)
          const state = api.getState()
          if (isOpen) {
            send(shown, state)
          } else {
            waiting = [...waiting, [shown, state] as const].slice(-this.maxBufferLength)
          }
        }
        return done
      }
    }
    this.init = (state) => {
      if (DEV) {
        ;(globals.__DC_CONTROLLERS__ ??= new Map()).set(name, controller)
      }
      const { __REDUX_DEVTOOLS_EXTENSION__: extension } = globals
      if (extension && (DEV || production)) {
        connection ??= extension.connect({ ...DEFAULTS, ...config, name })
        connection.init(state)
        end = connection.subscribe(hear)
      }
    }
    this.cleanup = () => {
      const { __DC_CONTROLLERS__: controllers } = globals
      if (controllers?.get(name) === controller) {
        controllers.delete(name)
      }
      end?.()
      isOpen = false
      waiting = []
    }
  }
}

/** Of what the panel can do, that which does not meddle with the app; and how it copies what JSON cannot hold. */
const DEFAULTS: object = {
  features: { pause: true, export: true, jump: true, test: false, lock: false, persist: false, skip: false },
  serialize: { options: { undefined: true, error: true, symbol: true, date: true, map: true, set: true } },
}

/** The lifecycle options of an endpoint. */
const LIFECYCLE = [
  'dataExpiryLength',
  'errorExpiryLength',
  'pollFrequency',
  'invalidIfStale',
  'timeout',
  'strict',
  'retry',
  'retryDelay',
  'refetchOnFocus',
  'refetchOnReconnect',
]

/** An action as a panel can show it. */
function describeAction(action: { readonly type: string; readonly [name: string]: any }): { type: string } {
  const { endpoint, schema, meta, date } = action
  return {
    ...action,
    ...(endpoint && { endpoint: describeEndpoint(endpoint) }),
    ...(schema && { schema: describeSchema(schema) }),
    ...(date && { date: describeTime(date) }),
    ...(meta && {
      meta: { ...pick(meta, ['fetchedAt', 'date', 'expiresAt'], describeTime), ...pick(meta, ['sent', 'requestId']) },
    }),
  }
}

function describeEndpoint(endpoint: any): object {
  const { name, schema, sideEffect } = endpoint
  return { name, schema: describeSchema(schema), sideEffect, ...pick(endpoint, LIFECYCLE) }
}

/** Those of the members that are set. */
function pick(of: any, names: readonly string[], describe = (value: any): unknown => value): object {
  return Object.fromEntries(names.filter((name) => of[name] !== undefined).map((name) => [name, describe(of[name])]))
}

/** Entities and lists by their names, the rest by its shape. */
function describeSchema(schema: any): unknown {
  if (Array.isArray(schema)) {
    return schema.map(describeSchema)
  }
  if (isPlain(schema)) {
    return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, describeSchema(part)]))
  }
  return schema?.key ?? schema?.constructor?.name
}

function describeTime(time: number): string | number {
  return Number.isFinite(time) ? new Date(time).toLocaleTimeString() : time
}
