// Sends entries by way of the managers, as any other request, and holds their responses back until they are saved.

import type { Deferred } from '../base/clock.ts'
import { deferred } from '../base/clock.ts'
import type { Controller } from '../controller/Controller.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import { plainHeaders } from '../endpoint/transport.ts'
import { retryAfter } from '../managers/retryAfter.ts'
import { originOf } from '../rows/origin.ts'
import type { Dispatch, FetchAction, SetResponseAction } from '../requests/actions.ts'
import { type Call, callOf } from '../requests/Call.ts'
import type { Request } from '../requests/Request.ts'
import { standInPlaces } from './concerns.ts'
import type { Caller } from './Callers.ts'
import type { Entry, EntryError, EntryRequest } from './Entry.ts'
import { judge } from './judge.ts'
import type { OutboxOptions, QueuedEndpoint } from './OutboxOptions.ts'
import { packBody, unpack } from './pack.ts'
import { Preflight } from './Preflight.ts'
import { etagOf, readerOf, readTheirs } from './crossed.ts'
import type { Outcome } from './Sender.ts'
import type { ShownEntries } from './ShownEntries.ts'

/** Milliseconds after which an attempt without a response has failed. */
const TIMEOUT = 60_000

/** An attempt that was made. */
interface Attempt {
  readonly entry: Entry
  readonly request: Request
  /** The promise of the request. */
  readonly settled: Deferred
  /** Resolves when a manager has responded, or the request was dropped. */
  readonly responded: Deferred<Held | undefined>
  begun: Entry | undefined
  etag: string | undefined
  /** Of a conflict: the record on the server. */
  theirs?: unknown
  /** The response is a page for people. */
  isPage: boolean
}

/** Why a response with a status of success counts as none. */
const PAGE: EntryError = { message: 'The response is HTML' }

/** A response that is not stored yet. */
interface Held {
  readonly action: SetResponseAction
  readonly next: Dispatch
}

export class Attempts {
  private readonly controller: Controller
  private readonly shown: ShownEntries
  private readonly options: OutboxOptions
  /** The attempts in flight, by the id of their request. */
  private readonly open = new Map<string, Attempt>()
  /** The responses that wait to be applied, by entry. */
  private readonly held = new Map<string, Held & { readonly attempt: Attempt }>()
  /** The responses that other tabs have not received yet, by entry. */
  readonly settled: Map<string, unknown> = new Map()
  /** The page is being left: requests go on without it. */
  isLeaving = false
  readonly preflight: Preflight
  /** The number at which an entry was sent first without a known outcome since. */
  private readonly sentAt = new Map<string, number>()

  constructor(controller: Controller, shown: ShownEntries, options: OutboxOptions) {
    this.controller = controller
    this.shown = shown
    this.options = options
    this.preflight = new Preflight(options)
  }

  /** True for the request of an attempt. */
  isOwn({ meta }: FetchAction): boolean {
    return this.open.has(meta.requestId)
  }

  /** Holds the response to an attempt back. Returns false for any other. */
  hold(action: SetResponseAction, next: Dispatch): boolean {
    const attempt = this.open.get(action.meta.requestId!)
    attempt?.responded.resolve({ action, next })
    return attempt !== undefined
  }

  /** Sends an entry. Resolves to `undefined` if it was not sent after all. */
  async deliver(
    entry: Entry,
    endpoint: QueuedEndpoint,
    begin: (request: EntryRequest) => Promise<Entry | undefined>,
  ): Promise<Outcome | undefined> {
    const { core } = this.controller
    const { requests, store } = core
    const first = entry.attempts > 0 ? (this.sentAt.get(entry.id) ?? this.shown.sentOf(entry.id)) : undefined
    const derived = attemptOf(endpoint, this.options, begin, () => attempt, this)
    let call: Call
    try {
      call = callOf(derived, unpack(entry.args) as any[])
    } catch (error) {
      // An older version of the app has made it, and its arguments fit no more.
      const isBegun = await begin({ url: entry.endpoint, method: methodOf(endpoint) })
      return isBegun && { verdict: 'refused', error: { message: (error as Error).message } }
    }
    const settled = deferred()
    const responded = deferred<Held | undefined>()
    // Where it was dropped, nobody has responded.
    settled.promise.catch(() => responded.resolve(undefined))
    const request = requests.begin(call, { sent: first, deferred: settled })
    const attempt: Attempt = { entry, request, settled, responded, begun: undefined, etag: undefined, isPage: false }
    this.open.set(request.id, attempt)
    this.sentAt.set(entry.id, request.action.meta.sent)
    requests.dispatch(request, true)
    let held = await responded.promise
    this.open.delete(request.id)
    const judged = held
      ? judgeResponse(attempt, held.action, (error) =>
          retryAfter(error, store.clock.now(), store.clock.ahead(), this.controller.random),
        )
      : attempt.begun && { verdict: 'unknown' as const, error: { message: 'Request aborted' } }
    const crossing = judged?.verdict === 'conflict' ? await compare(endpoint, attempt.begun!, judged.error) : undefined
    const outcome = crossing?.outcome ?? judged
    if (held && outcome?.verdict === 'done' && held.action.error) {
      // A response that was lost has made the change: this one only says so.
      held = { ...held, action: { ...held.action, error: undefined, response: crossing?.response ?? request.args[0] } }
    }
    attempt.theirs = outcome?.verdict === 'conflict' ? outcome.theirs : undefined
    this.preflight.note(request.key, outcome?.verdict === 'unknown' && outcome.error.status === undefined)
    if (!attempt.begun && outcome) {
      // It has failed before anything of it was sent: that is saved, too.
      attempt.begun = await begin({ url: request.key, method: methodOf(endpoint) })
    }
    if (held && attempt.begun && outcome && ['done', 'refused', 'conflict'].includes(outcome.verdict)) {
      this.held.set(entry.id, { ...held, attempt })
    } else {
      requests.close(request)
    }
    if (held && outcome?.verdict === 'unsigned') {
      // Managers learn of it, and the entry stays.
      const { action } = held
      void held.next({ ...action, meta: { ...action.meta, requestId: undefined } }).catch(() => {})
    }
    if (outcome?.verdict !== 'unknown') {
      this.sentAt.delete(entry.id)
    }
    return attempt.begun && outcome
  }

  /**
   * Stores a response that was held back. Returns the real ids that it has given.
   *
   * @param onAliases called with them before readers are notified
   */
  apply(
    id: string,
    caller: Caller | undefined,
    onAliases: (aliases: ReadonlyMap<string, string>) => void,
  ): Map<string, string> {
    const { core } = this.controller
    const { tables } = core.store
    const held = this.held.get(id)
    const aliases = new Map<string, string>()
    if (!held) {
      return aliases
    }
    this.held.delete(id)
    const { attempt, action, next } = held
    const { request } = attempt
    const operation = this.shown.forget(id)?.operation
    const places = standInPlaces(tables, request.key, operation)
    request.operation = operation
    // In the stack of the commit, before readers are notified.
    Object.assign(request.action.meta, {
      resolve: (value: unknown) => {
        for (const [temporary, place] of places) {
          const real = pkAt(value, place)
          if (real !== undefined) {
            aliases.set(temporary, real)
          }
        }
        onAliases(aliases)
        caller?.resolve(value)
        attempt.settled.resolve(value)
      },
      reject: (error: unknown) => {
        caller?.reject(error)
        attempt.settled.reject(error)
      },
    })
    if (!action.error) {
      this.settled.set(id, action.response)
    }
    next(action).catch(() => {})
    // Since then the store may have been reset, for another user.
    const isPast = request.action.meta.sent < core.store.resetAt
    const reader = attempt.theirs === undefined || isPast ? undefined : readerOf(request.endpoint as QueuedEndpoint)
    if (reader?.schema) {
      void this.controller.setResponse(reader, request.args[0], attempt.theirs)
    }
    return aliases
  }
}

/** The primary key of the record at a place of a response. */
function pkAt(value: any, place: readonly string[]): string | undefined {
  return originOf(place.reduce<any>((part, name) => Object(part)[name], value))?.pk
}

function methodOf(endpoint: QueuedEndpoint): string {
  return (endpoint as { method?: string }).method ?? 'POST'
}

/** The endpoint of one attempt: it is saved before it is sent, with the request of the first one. */
function attemptOf(
  endpoint: QueuedEndpoint,
  { keyHeader = 'Idempotency-Key', timeout = TIMEOUT }: OutboxOptions,
  begin: (request: EntryRequest) => Promise<Entry | undefined>,
  attempt: () => Attempt,
  page: { readonly isLeaving: boolean },
): QueuedEndpoint {
  const { fetchResponse, fetch } = endpoint as any
  const save = async (request: EntryRequest): Promise<Entry> => {
    const begun = await begin(request)
    attempt().begun = begun
    if (!begun) {
      attempt().request.isUnsent = true
      throw Object.assign(new Error('Not sent'), { name: 'AbortError' })
    }
    return begun
  }
  const send = {
    async fetchResponse(this: unknown, url: string, init: RequestInit): Promise<Response> {
      const made = { url, method: init.method ?? 'POST', body: packBody(init.body) }
      const { request = made, key, ifMatch } = await save(made)
      // The version of the first attempt counts, also where the endpoint has learnt of a newer one.
      const given = Object.entries(plainHeaders(init.headers, {}))
      const headers = Object.fromEntries(given.filter(([name]) => name.toLowerCase() !== 'if-match'))
      const more = { ...(keyHeader && { [keyHeader]: key }), ...(ifMatch && { 'If-Match': ifMatch }) }
      const body = unpack(request.body)
      const response: Response = await fetchResponse.call(this, request.url, {
        ...init,
        ...(page.isLeaving && { keepalive: true }),
        body,
        headers: plainHeaders(more, headers),
      })
      attempt().etag = etagOf(response)
      attempt().isPage = isHtml(response) && (endpoint as { content?: string }).content !== 'text'
      return response
    },
  }
  const call = {
    // An endpoint with another function has another name, unless it is given one.
    name: endpoint.name,
    async fetch(this: unknown, ...args: unknown[]): Promise<unknown> {
      await save({ url: endpoint.key(...(args as [])), method: methodOf(endpoint) })
      return fetch.apply(this, args)
    },
  }
  return (endpoint as any).extend({
    getOptimisticResponse: undefined,
    retry: 0,
    timeout: (endpoint as { timeout?: number }).timeout ?? timeout,
    ...(fetchResponse ? send : call),
  })
}

/** Finds the outcome of a change that the server has refused as crossed, by its record there. */
async function compare(
  endpoint: QueuedEndpoint,
  entry: Entry,
  error: EntryError,
): Promise<{ readonly outcome: Outcome; readonly response?: unknown }> {
  try {
    const theirs = await readTheirs(endpoint, entry)
    return theirs?.hasMine
      ? { outcome: { verdict: 'done', etag: theirs.etag }, response: theirs.value }
      : { outcome: { verdict: 'conflict', error, theirs: theirs?.value, ifMatch: theirs?.etag } }
  } catch {
    return { outcome: { verdict: 'unknown', error } }
  }
}

function judgeResponse(
  { begun, etag, isPage }: Attempt,
  { response, error, endpoint }: SetResponseAction,
  after: (error: unknown) => number,
): Outcome {
  const method = methodOf(endpoint as QueuedEndpoint)
  if (!error) {
    return isPage ? { verdict: 'unknown', error: PAGE } : { verdict: 'done', etag }
  }
  const thrown = (Object(response) as Partial<UnknownError>) ?? {}
  const known: EntryError = {
    message: String(thrown.message ?? response),
    status: thrown.code === 'transport' ? undefined : thrown.status,
    code: thrown.code,
    body: thrown.body,
  }
  if (!begun) {
    // Arguments that are refused will be refused again; a token that cannot be renewed now may be renewed later.
    const isFinal = thrown.refused || thrown.code === 'pending-id' || thrown instanceof TypeError
    return { verdict: isFinal ? 'refused' : 'unsent', error: known }
  }
  const status = thrown.code === 'transport' ? undefined : thrown.status
  // As the transaction has counted: another tab may have sent it since this one has looked.
  const wasUnknown = begun.attempts > 1
  const verdict = judge({ method, status, isReadable: isReadable(thrown), wasUnknown })
  switch (verdict) {
    case 'done':
      return { verdict, etag }
    case 'crossed':
      return { verdict: 'conflict', error: known }
    case 'unknown':
      return { verdict, error: known, after: after(response) }
    default:
      return { verdict, error: known }
  }
}

/** False for what the endpoint does not expect, such as the page of a captive portal. */
function isReadable({ body, refused, response }: Partial<UnknownError>): boolean {
  return !refused && !(typeof body === 'string' && (isHtml(response) || body.trimStart().startsWith('<')))
}

function isHtml(response: unknown): boolean {
  return /\bhtml\b/.test((response as Response | undefined)?.headers?.get?.('content-type') ?? '')
}
