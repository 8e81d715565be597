import { DEV } from '../base/env.ts'
import { refusal } from '../base/errors.ts'
import { pagesOf } from '../controller/listPages.ts'
import { UNCHANGED } from '../endpoint/start.ts'
import type { NetworkError } from '../rest/NetworkError.ts'
import type { EtagCall } from './etagEndpoint.ts'
import { rememberReader } from './readers.ts'
import { isSameContent, noteVersion, versionOf } from './versions.ts'

/** Sends a read, with the ETag of the stored data. */
export async function readIfChanged(call: EtagCall): Promise<unknown> {
  const { endpoint, args, url, controller, send, stored } = call
  const { tables } = controller.core.store
  // Without a stored result the data may be a record that came from elsewhere.
  const read = (): unknown =>
    tables.endpoints.slot(endpoint.key(...args)).value === undefined
      ? undefined
      : controller.getResponse(endpoint, ...args).data
  const data = read()
  const version = versionOf(data, url)
  rememberReader(call)
  let isDone = false
  let etag: string | null | undefined
  const note = (value: unknown): void => {
    // A value that the app sets before the response has no ETag, and loaded pages are more than the response has.
    if (isDone && pagesOf(tables, endpoint, args).length === 0) {
      noteVersion(value, url, etag, true)
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

function unexpected(subject: string): Error {
  return refusal(
    'etag-unasked',
    subject,
    DEV &&
      `The server responded to "${subject}" with 304 (not modified), although the request had no If-None-Match. A proxy or the server mixes up responses.`,
  )
}
