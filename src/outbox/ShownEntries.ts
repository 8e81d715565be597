// Shows entries that wait: an optimistic operation for each, over the rows of the store.

import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Core } from '../controller/Core.ts'
import { takeForeign } from '../disk/foreign.ts'
import { INVALID } from '../rows/INVALID.ts'
import { Patch, type Row } from '../rows/Row.ts'
import { callOf, type Call } from '../requests/Call.ts'
import { createOperation } from '../requests/pending.ts'
import { applyUnknown } from '../requests/applyResponse.ts'
import type { Operation } from '../store/operations.ts'
import { SET_RESPONSE } from '../requests/actionTypes.ts'
import type { Caller } from './Callers.ts'
import { type Aliases, standInsIn, withRealIds } from './aliases.ts'
import type { QueuedEndpoint } from './OutboxOptions.ts'
import type { Entry } from './Entry.ts'
import { unpack } from './pack.ts'

interface ShownEntry {
  readonly entry: Pick<Entry, 'id' | 'key' | 'args' | 'shown'>
  /** `undefined` while it is not loaded. */
  readonly endpoint: QueuedEndpoint | undefined
  readonly call: Call | undefined
  readonly sent: number
  readonly operation: Operation | undefined
}

/** An operation that shows the fields which were saved with an entry. */
function savedOperation({ tables }: Core['store'], { id, shown }: ShownEntry['entry'], sent: number): Operation {
  const meta = { sent, at: Infinity, kind: 'mutation' as const, fetchedAt: 0, date: 0, expiresAt: Infinity }
  const run: Operation['run'] = () => {
    const rows = shown.map(([key, pk, fields]) => {
      const row: Row = tables.records(key).row(pk)
      row.patch = Object.assign(new Patch(undefined, meta), { fields: fields ?? INVALID })
      return row
    })
    return { change: { rows }, reads: new Set() }
  }
  return { id, sent, action: { type: 'entry', id }, issuedOver: new Map(), rows: [], reads: new Set(), run }
}

/** The error of a reader whose record waits to be deleted. */
function deletedError(key: string): Error {
  return fail(
    'outbox-deleted',
    key,
    DEV &&
      `"${key}" is deleted by a mutation that waits in the outbox. Leave the screen of a record when it is deleted.`,
    Error,
    { status: 404 },
  )
}

/** The call of an entry; `undefined` if its endpoint is not loaded, or its arguments fit no more. */
function callFor({ args }: ShownEntry['entry'], endpoint: QueuedEndpoint | undefined): Call | undefined {
  try {
    return endpoint && callOf(endpoint, unpack(args) as any[])
  } catch {
    return undefined
  }
}

/** The request of another tab has no caller here. */
const NEVER = new Promise<never>(() => {})

/** The entries that a store shows. */
export class ShownEntries {
  private readonly core: Core
  private readonly all = new Map<string, ShownEntry>()

  constructor(core: Core) {
    this.core = core
  }

  has(id: string): boolean {
    return this.all.has(id)
  }

  operationOf(id: string): Operation | undefined {
    return this.all.get(id)?.operation
  }

  /** The number since which an entry is shown. */
  sentOf(id: string): number | undefined {
    return this.all.get(id)?.sent
  }

  get ids(): readonly string[] {
    return [...this.all.keys()]
  }

  /**
   * Shows an entry.
   *
   * @param sent its place among all operations
   */
  add(
    entry: ShownEntry['entry'],
    endpoint: QueuedEndpoint | undefined,
    sent: number = ++this.core.store.reached,
    known?: Call,
  ): Operation | undefined {
    const { store } = this.core
    const call = known ?? callFor(entry, endpoint)
    const operation = !call
      ? savedOperation(store, entry, sent)
      : call.endpoint.getOptimisticResponse
        ? createOperation(store, {
            id: entry.id,
            endpoint: call.endpoint,
            key: call.key,
            plain: call.plain,
            action: { meta: { sent, fetchedAt: store.clock.now() } },
          })
        : undefined
    if (operation) {
      operation.queued = deletedError
    }
    this.all.set(entry.id, { entry, endpoint: endpoint ?? known?.endpoint, call, sent, operation })
    if (operation) {
      store.addOperation(operation)
    }
    return operation
  }

  /** Shows an entry as it is now: with other arguments, or with its endpoint. */
  update(entry: Entry, endpoint: QueuedEndpoint | undefined): void {
    const shown = this.all.get(entry.id)
    if (!shown || (shown.endpoint === undefined && endpoint) || shown.entry.key !== entry.key) {
      this.remove(entry.id)
      this.add(entry, endpoint, shown?.sent)
    }
  }

  /** Shows entries with the real ids of records that were created. */
  rename(aliases: Aliases): void {
    const renamed = [...this.all.values()].filter(({ entry }) =>
      [...standInsIn(entry.args)].some((id) => aliases.has(id)),
    )
    for (const { entry, endpoint, sent } of renamed) {
      this.remove(entry.id)
      this.add({ ...entry, args: withRealIds(entry.args, aliases) }, endpoint, sent)
    }
  }

  /** Shows an entry no longer. */
  remove(id: string): void {
    const operation = this.forget(id)?.operation
    if (operation) {
      this.core.store.removeOperation(operation)
    }
  }

  /** Its operation is gone with the request that has settled it. */
  forget(id: string): ShownEntry | undefined {
    const shown = this.all.get(id)
    this.all.delete(id)
    return shown
  }

  /** Another tab has sent an entry: its response is stored here, too. */
  settle(id: string, response: unknown, caller: Caller): void {
    const shown = this.forget(id)
    const { core } = this
    if (!shown?.call) {
      return
    }
    const { call, sent, operation } = shown
    const request = core.requests.begin(call, { sent, deferred: { promise: NEVER, ...caller } })
    request.operation = operation
    const { endpoint, key, args } = request
    const { fetchedAt, requestId } = request.action.meta
    const date = core.store.clock.now()
    const meta = { fetchedAt, requestId, sent, date, expiresAt: date }
    const action = { type: SET_RESPONSE, endpoint, key, args: args as any, response, meta } as const
    takeForeign(() => void core.apply(action).catch(() => {}))
  }

  /** Another tab has sent it, or taken it back: only the server knows what it has done. */
  lose(id: string): void {
    const shown = this.all.get(id)
    this.remove(id)
    if (shown?.call) {
      applyUnknown(this.core.store, shown.call, { sent: shown.sent, fetchedAt: this.core.store.clock.now() })
    }
  }

  /** The store was reset, and all operations with it. */
  clear(): void {
    this.all.clear()
  }
}
