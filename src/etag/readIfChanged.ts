import { DEV } from '../base/env.ts'
import { refusal } from '../base/errors.ts'
import { pagesOf } from '../requests/listPages.ts'
import { rowsOf } from '../reading/query.ts'
import { UNCHANGED } from '../endpoint/start.ts'
import { noteEtag, takeRestoredEtag } from '../requests/etags.ts'
import type { NetworkError } from '../rest/NetworkError.ts'
import { type Meta, STALE } from '../rows/Meta.ts'
import type { EtagCall } from './etagEndpoint.ts'
import { rememberReader } from './readers.ts'
import { isSameContent, noteVersion, versionOf } from './versions.ts'

/** Sends a read, with the ETag of the stored data. */
export async function readIfChanged(call: EtagCall): Promise<unknown> {
  const { endpoint, args, url, controller, send, stored } = call
  const { core } = controller
  const { tables } = core.store
  const result = core.result(endpoint.key(...args) as string)
  const request = [...result.requests].find(({ action }) => action.meta.promise === stored)
  const number = request?.action.meta.sent ?? core.store.reached
  // Without a stored result the data may be a record that came from elsewhere.
  const read = (): unknown => (result.value === undefined ? undefined : controller.getResponse(endpoint, ...args).data)
  const data = read()
  // Data in doubt needs the whole response. Data that the app has expired is only stale.
  const isDoubted = controller.getResponse(endpoint, ...args).expiresAt === STALE && result.doubt.at > result.expired
  const restored = takeRestoredEtag(result)
  if (restored) {
    noteVersion(data, url, restored, true)
  }
  const version = isDoubted ? undefined : versionOf(data, url)
  rememberReader(call)
  let isDone = false
  let etag: string | null | undefined
  const note = (value: unknown): void => {
    // A value that the app sets before the response has no ETag, and loaded pages are more than the response has.
    if (isDone && pagesOf(tables, endpoint, args).length === 0 && value === read() && isTakenWhole(call, number)) {
      noteVersion(value, url, etag, true)
      if (etag) {
        noteEtag(result, etag, value)
      }
    }
  }
  stored.then(note, () => {})
  // If the server speaks of another version than the stored one, or that is gone, only the whole response helps.
  for (let known = version?.isRead ? version.etag : undefined; ; known = undefined) {
    try {
      const sent = await (known ? send('If-None-Match', known) : send())
      isDone = true
      etag = sent.etag
      return sent.value
    } catch (error) {
      const { status, response } = Object(error) as Partial<NetworkError>
      if (status !== 304) {
        throw error
      }
      if (!known) {
        throw unexpected(endpoint.key(...args))
      }
      if (data === read() && isSameContent(response?.headers.get('etag') ?? known, known)) {
        return UNCHANGED
      }
    }
  }
}

/** True where readers see what the response to this request said, and nothing that arrived since it was sent. */
function isTakenWhole({ endpoint, args, controller }: EtagCall, number: number): boolean {
  const { core, getResponse } = controller
  const [result, ...rows] = rowsOf(core.reads.node(endpoint, args))
  const isOfIt = ({ sent }: Meta): boolean => sent === number
  return (
    getResponse(endpoint, ...args).expiresAt !== STALE &&
    result?.meta?.sent === number &&
    rows.every(({ meta, metas }) => {
      // A row that was in the response, of which nothing was taken, was refused by its class.
      const isLost = meta && isOfIt(meta) && !metas.some(isOfIt)
      return !isLost && metas.every((one) => isOfIt(one) || one.at < number)
    })
  )
}

function unexpected(subject: string): Error {
  return refusal(
    'etag-unasked',
    subject,
    DEV &&
      `The server responded to "${subject}" with 304 (not modified), although the request had no If-None-Match. A proxy or the server mixes up responses.`,
  )
}
