import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { show } from '../base/show.ts'
import { stableKey } from '../base/stableKey.ts'
import { validate } from '../base/standardSchema.ts'
import { onAbort, reasonOf } from '../endpoint/signals.ts'
import { callableOf, currentCall, START, start, type Startable, type StartOptions } from '../endpoint/start.ts'
import { compile } from '../path/compile.ts'
import { shorten } from '../path/shorten.ts'
import { NetworkError } from '../rest/NetworkError.ts'

/**
 * How several records are requested at once.
 *
 * @example
 * const options: BatchOptions = { param: 'ids', max: 50 }
 * @see docs/api/withBatch.md#batchoptions
 */
export interface BatchOptions {
  /** The query parameter with the ids: `ids` in `/users?ids=1,2`. */
  readonly param: string
  /** How many ids a request has at most; by default 50. */
  readonly max?: number | undefined
  /** The path of the request; by default that of the list. */
  readonly path?: string | undefined
  /** The member of a record that is its id; by default it has the name of the last parameter of the path. */
  readonly field?: string | undefined
  /** Returns the records in the response, if it is not a list of them. */
  readonly process?: ((body: any) => readonly unknown[]) | undefined
}

/** An endpoint that reads one record. */
interface GetEndpoint {
  readonly path: string
  readonly sideEffect?: false | undefined
  extend(options: any): any
}

/** The members of an endpoint that are used here. */
interface Batchable extends Startable {
  readonly path: string
  readonly schema?: unknown
  readonly sideEffect?: boolean | undefined
  readonly validateResponse?: unknown
  readonly fetchResponse: unknown
  extend(options: object): this
  process(value: unknown, ...args: readonly unknown[]): unknown
  [START](args: readonly unknown[], options: StartOptions): Promise<unknown>
}

/** A call that waits for its record. */
interface Waiting {
  readonly id: string
  readonly signal: AbortSignal | undefined
  /** Sends the request of this call alone. */
  sendSingle(): Promise<unknown>
  /** The value of a record that has arrived. */
  accept(record: unknown): unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Statuses that are about the caller or the server, and not about one of the ids. */
const COMMON: ReadonlySet<number> = /* @__PURE__ */ new Set([401, 403, 407, 408, 425, 426, 429, 431])

/**
 * The same endpoint; its fetches through a store in one tick become one request: `GET /users?ids=1,2`.
 *
 * @example
 * const Users = resource({ path: '/users/:id', schema: User }).extend(({ get }) => ({
 *   get: withBatch(get, { param: 'ids', max: 50 }),
 * }))
 * @see docs/api/withBatch.md
 */
export function withBatch<E extends GetEndpoint>(endpoint: E, options: BatchOptions): E {
  const { path } = endpoint
  const name = readIdName(path, options)
  // Calls of another endpoint may have other headers, and those of another store belong to another user.
  const stores = new WeakMap<object, WeakMap<object, Map<string, Waiting[]>>>()
  const { [START]: startSingle } = endpoint as unknown as Batchable
  return endpoint.extend({
    [START](this: Batchable, args: readonly unknown[], given: StartOptions = {}): Promise<unknown> {
      const { controller } = given
      const [params] = args as [Record<string, unknown> | undefined]
      const id: unknown = params?.[name]
      // Members that were made from this one, such as mutations, are not batched. A comma would make two ids of one.
      const isBatched =
        controller && args.length === 1 && this.path === path && !this.sideEffect && isId(id) && !`${id}`.includes(',')
      if (!isBatched) {
        return startSingle.call(this, args, given)
      }
      const waiting = recall(
        recall(stores, callableOf(this), () => new WeakMap<object, Map<string, Waiting[]>>()),
        controller,
        () => new Map<string, Waiting[]>(),
      )
      const others = { ...params, [name]: undefined }
      const join = (call: Omit<Waiting, 'resolve' | 'reject'>): Promise<unknown> =>
        new Promise((resolve, reject) => {
          const group = stableKey(others)
          const calls = recall(waiting, group, (): Waiting[] => {
            queueMicrotask(() => {
              const all = waiting.get(group)!
              waiting.delete(group)
              sendAll(this, all, others, options, name)
            })
            return []
          })
          calls.push({ ...call, resolve, reject })
        })
      const single: Startable = {
        signal: this.signal,
        requestInit: this.requestInit,
        timeout: this.timeout,
        key: () => this.key(...args),
        fetch: () => {
          const signal = currentCall(single)?.join()
          return join({
            id: `${id}`,
            signal,
            sendSingle: () => startSingle.call(this, args, { ...given, signal }),
            accept: async (record) =>
              this.process(
                await validate(this.validateResponse, record, 'validate-response', () => this.key(...args)),
                ...args,
              ),
          })
        },
      }
      return start(single, args, given)
    },
  }) as E
}

/** Sends requests for all calls that are still wanted, each with at most `max` ids. */
function sendAll(
  endpoint: Batchable,
  all: readonly Waiting[],
  params: object,
  options: BatchOptions,
  name: string,
): void {
  const byId = new Map<string, Waiting[]>()
  for (const call of all.filter(({ signal }) => !signal?.aborted)) {
    recall(byId, call.id, (): Waiting[] => []).push(call)
  }
  const ids = [...byId.keys()]
  const { max = 50 } = options
  for (let at = 0; at < ids.length; at += max) {
    const part = ids.slice(at, at + max)
    const calls = part.flatMap((id) => byId.get(id)!)
    void (part.length > 1 ? sendMany(endpoint, part, calls, params, options, name) : sendAlone(calls))
  }
}

/** Sends one request for several calls. It is aborted when none of them is left. */
async function sendMany(
  endpoint: Batchable,
  ids: readonly string[],
  calls: readonly Waiting[],
  params: object,
  options: BatchOptions,
  name: string,
): Promise<void> {
  const field = options.field ?? name
  const { path, schema, fetchResponse } = endpoint
  const many = callableOf(endpoint).extend({
    fetchResponse,
    path: options.path ?? shorten(path),
    schema: schema && [schema],
    validateResponse: undefined,
    // Each call has its own.
    timeout: 0,
    signal: undefined,
    process: options.process ?? ((value: unknown) => value),
  })
  const args = [{ ...params, [options.param]: ids }]
  const aborter = new AbortController()
  const ends = calls.map(({ signal }) =>
    onAbort(signal ? [signal] : [], (fired) => {
      if (calls.every((call) => call.signal?.aborted)) {
        aborter.abort(reasonOf(fired))
      }
    }),
  )
  try {
    const records = await many[START](args, { signal: aborter.signal })
    if (!Array.isArray(records)) {
      throw notAList(many.key(...args), records, options.param)
    }
    const found = new Map(records.map((record) => [String(Object(record)[field]), record as unknown]))
    for (const call of calls) {
      if (found.has(call.id)) {
        Promise.resolve(found.get(call.id)).then(call.accept).then(call.resolve, call.reject)
      } else {
        call.reject(notFound(many.key(...args), call.id, field))
      }
    }
  } catch (error) {
    const { status = 500, refused } = Object(error) as { status?: number; refused?: boolean }
    // One id that the server does not accept is no reason to lose the others.
    if (status >= 400 && status < 500 && !COMMON.has(status) && !refused) {
      return sendAlone(calls)
    }
    calls.forEach(({ reject }) => reject(error))
  } finally {
    ends.forEach((end) => end())
  }
}

function sendAlone(calls: readonly Waiting[]): void {
  for (const { sendSingle, resolve, reject } of calls) {
    sendSingle().then(resolve, reject)
  }
}

/** The parameter of a path that the path of the batch does not have. */
function readIdName(path: string, { path: batchPath = shorten(path), max = 1 }: BatchOptions): string {
  const { names } = compile(batchPath)
  const [name, ...more] = [...compile(path).names].filter((one) => !names.has(one))
  if (name !== undefined && more.length === 0 && max >= 1) {
    return name
  }
  throw fail(
    'batch-options',
    `${batchPath} of ${path}`,
    DEV &&
      (max >= 1
        ? `withBatch() cannot tell the id: "${batchPath}" must have all parameters of "${path}" except one. Set "path" to the path of the list.`
        : `withBatch() of "${path}" has a "max" of ${max}. Give 1 or more.`),
    TypeError,
  )
}

function isId(id: unknown): id is string | number | bigint {
  return (typeof id === 'string' && id !== '') || typeof id === 'number' || typeof id === 'bigint'
}

function notAList(subject: string, response: unknown, param: string): Error {
  return fail(
    'batch-response',
    subject,
    DEV &&
      `The response to "${subject}" has no list of records: ${show(response)}. Return the list in "process": withBatch(get, { param: '${param}', process: (body) => body.data }).`,
    Error,
    { status: 400, refused: true, response },
  )
}

/** The error of a call whose record is not in the response. */
function notFound(subject: string, id: string, field: string): Error {
  const [method, url] = subject.split(' ')
  const text = DEV ? `The response to "${subject}" has no record with "${field}": "${id}".` : `${subject} without ${id}`
  return new NetworkError(new Response(null, { status: 404 }), url, method, { message: text })
}
