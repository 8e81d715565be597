import { sendRequest, type Send, SEND } from '../endpoint/transport.ts'
import { report } from '../base/report.ts'
import { sendWithXhr } from './sendWithXhr.ts'

/** How much of a request, or of its response, has been transferred. */
export interface Progress {
  readonly phase: 'upload' | 'download'
  /** Bytes so far. */
  readonly loaded: number
  /** All bytes; `undefined` if nobody knows, as with a compressed response. */
  readonly total: number | undefined
  /** From 0 to 100; `undefined` without a total. */
  readonly percent: number | undefined
}

export type OnProgress = (phase: Progress['phase'], loaded: number, total: number | undefined) => void

/**
 * The same endpoint, whose requests report how much of them has been transferred.
 *
 * @example
 * const upload = new RestEndpoint({ path: '/files', method: 'POST', body: {} as FormData })
 * await withProgress(upload, ({ percent }) => console.log(percent))(new FormData())
 * @see docs/api/withProgress.md
 */
export function withProgress<E extends { extend(options: any): any }>(
  endpoint: E,
  onProgress: (progress: Progress) => void,
): E {
  const notify: OnProgress = (phase, loaded, total) => {
    const percent = total ? Math.min(Math.floor((loaded / total) * 100), 100) : undefined
    try {
      onProgress({ phase, loaded, total, percent })
    } catch (error) {
      // A mistake in the display is no reason to lose an upload.
      report(error)
    }
  }
  return endpoint.extend({
    async getRequestInit(body: unknown): Promise<RequestInit> {
      const init = (await (endpoint as any).getRequestInit.call(this, body)) as RequestInit
      return { ...init, [SEND]: createSend(notify) } as RequestInit
    },
  }) as E
}

/** `fetch` reports no uploads, and `XMLHttpRequest` has no streams and follows every redirect: each does what it can. */
function createSend(notify: OnProgress): Send {
  return async (url, init) => {
    const { body, redirect = 'follow' } = init
    const isStream = Boolean((body as { getReader?: unknown } | null | undefined)?.getReader)
    if (body != null && !isStream && redirect === 'follow' && typeof XMLHttpRequest !== 'undefined') {
      return sendWithXhr(url, init, notify)
    }
    return countDownload(await sendRequest(url, { ...init, [SEND]: undefined }), notify)
  }
}

/** The same response, whose body is counted while it is read. */
function countDownload(response: Response, notify: OnProgress): Response {
  const { body, headers, status, statusText, url, redirected } = response
  if (!body?.pipeThrough || !response.ok) {
    return response
  }
  const length = headers.get('content-encoding') ? null : headers.get('content-length')
  const total = length ? Number(length) : undefined
  let loaded = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      loaded += chunk.byteLength
      notify('download', loaded, total)
      controller.enqueue(chunk)
    },
  })
  const counted = new Response(body.pipeThrough(counter), { status, statusText, headers })
  // A response that was constructed has neither.
  return Object.defineProperties(counted, { url: { value: url }, redirected: { value: redirected } })
}
