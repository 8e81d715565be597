import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { SeenVersion } from '../endpoint/start.ts'
import { recall } from '../base/recall.ts'
import { NetworkError } from '../rest/NetworkError.ts'
import { envelopeOf } from '../schema/envelope.ts'
import { ConflictError } from './ConflictError.ts'
import type { EtagCall, Sent } from './etagEndpoint.ts'
import { BASE } from './ifMatch.ts'
import { readerOf } from './readers.ts'
import { isStrong, noteVersion, strongEtag, versionOf } from './versions.ts'

/** The changes in flight, by URL: each resolves to the ETag that holds after it. */
const queues = /* @__PURE__ */ new WeakMap<object, Map<string, Promise<string | undefined>>>()

/** True for mutations of one record. One of a list is about the list, and a POST about something else. */
export function isChange({ method, schema }: { readonly method: string; readonly schema?: unknown }): boolean {
  const { kind } = Object(envelopeOf(schema).schema) as { kind?: string }
  return ['PUT', 'PATCH', 'DELETE'].includes(method.toUpperCase()) && kind !== 'add' && kind !== 'remove'
}

/** Sends a change of a record, with the ETag of the version that it starts from. */
export function changeIfMatch(call: EtagCall, onUnsent?: () => void): Promise<unknown> {
  const { endpoint, url, controller, stored } = call
  const queue = recall(queues, controller, () => new Map<string, Promise<string | undefined>>())
  const base: object | null = endpoint[BASE]
  const before = queue.get(url)
  // Now, since the optimistic update of this change is shown next.
  const etag = strongEtag(versionOf(base ?? readStored(call), url))
  if (base && !etag) {
    onUnsent?.()
    return Promise.reject(
      fail(
        'etag-unknown',
        endpoint.key(...call.args),
        DEV &&
          `The record that was passed to ifMatch() has no strong ETag of "${url}", so nothing was sent. Fetch it from there first; its response needs the header ETag, and across origins Access-Control-Expose-Headers: ETag.`,
      ),
    )
  }
  const known: Known = {}
  // At once, so that the version is known before the caller goes on. A response may lack fields, so a read must not rely on it.
  stored.then(
    (record) => known.sent && noteVersion(record, url, known.sent.etag, false),
    // The optimistic update is gone: now the fresh record is what readers see.
    () => known.fresh && noteVersion(readStored(call), url, known.fresh, true),
  )
  const sent = before && !base ? before.then((last) => send(call, last, known)) : send(call, etag, known)
  const after = sent.then(
    (one) => (isStrong(one.etag) ? one.etag : undefined),
    () => (base || !before ? etag : before),
  )
  queue.set(url, after)
  void after.then(() => queue.get(url) === after && queue.delete(url))
  return sent.then(({ value }) => value)
}

/** The ETags that a change has brought: of its response, or after a conflict of the fresh record. */
interface Known {
  sent?: Sent
  fresh?: string | undefined
}

async function send(call: EtagCall, etag: string | undefined, known: Known): Promise<Sent> {
  try {
    return (known.sent = await (etag ? call.send('If-Match', etag) : call.send()))
  } catch (error) {
    throw etag && error instanceof NetworkError && error.status === 412
      ? await explainConflict(call, error, etag, known)
      : error
  }
}

/** Fetches the record as it is now. */
async function explainConflict(call: EtagCall, error: NetworkError, etag: string, known: Known): Promise<Error> {
  const { url, endpoint, args, controller } = call
  const reader = readerOf(call)
  if (!reader) {
    return new ConflictError(error, () => undefined)
  }
  try {
    // Without its version the whole record is sent.
    noteVersion(readStored(call), url, undefined, true)
    const current: unknown = await controller.fetch(reader.endpoint, ...reader.args)
    known.fresh = versionOf(current, url)?.etag
  } catch (cause) {
    return new ConflictError(error, () => undefined, cause)
  }
  if (known.fresh !== etag) {
    return new ConflictError(error, () => readStored(call))
  }
  return fail(
    'etag-contradiction',
    endpoint.key(...args),
    DEV &&
      `The server refused "${endpoint.key(...args)}" with 412, because the ETag of the record is no longer ${etag}, and then sent the record with that ETag.`,
    Error,
    { status: 412, cause: error },
  )
}

/** The version that the caller of a change has seen. */
export function seenVersion(call: Pick<EtagCall, 'endpoint' | 'url' | 'controller' | 'args'>): SeenVersion {
  const base = (call.endpoint[BASE] as object | null) ?? undefined
  return { etag: strongEtag(versionOf(base ?? readStored(call), call.url)), base }
}

/** The data of a URL as readers see it. */
function readStored(call: Pick<EtagCall, 'url' | 'controller'>): unknown {
  const reader = readerOf(call)
  return reader && call.controller.getResponse(reader.endpoint, ...reader.args).data
}
