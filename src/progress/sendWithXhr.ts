import { plainHeaders } from '../endpoint/transport.ts'
import { onAbort, reasonOf } from '../endpoint/signals.ts'
import type { OnProgress } from './withProgress.ts'

/** Statuses whose response has no body: `Response` refuses one. */
const EMPTY: ReadonlySet<number> = /* @__PURE__ */ new Set([204, 205, 304])

/** The same as `fetch`, with the progress of the upload and of the download. */
export function sendWithXhr(url: string, init: RequestInit, notify: OnProgress): Promise<Response> {
  const { method = 'GET', headers, body, signal, credentials } = init
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = onAbort(signal ? [signal] : [], (fired) => {
      reject(reasonOf(fired))
      request.abort()
    })
    const sizeOf = ({ lengthComputable, total }: ProgressEvent): number | undefined =>
      lengthComputable ? total : undefined
    if (signal?.aborted) {
      stop()
      reject(reasonOf(signal))
      return
    }
    request.open(method, url)
    request.responseType = 'blob'
    request.withCredentials = credentials === 'include'
    for (const [name, value] of Object.entries(plainHeaders(headers))) {
      request.setRequestHeader(name, value)
    }
    request.upload.addEventListener('progress', (event) => notify('upload', event.loaded, sizeOf(event)))
    request.addEventListener('progress', (event) => notify('download', event.loaded, sizeOf(event)))
    request.addEventListener('load', () => resolve(responseOf(request, url)))
    request.addEventListener('error', () => reject(new TypeError(`${method} ${url} failed`)))
    request.addEventListener('loadend', stop)
    request.send(body as XMLHttpRequestBodyInit)
  })
}

function responseOf(request: XMLHttpRequest, url: string): Response {
  const { status, statusText, responseURL } = request
  const headers = new Headers()
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const colon = line.indexOf(':')
    if (colon > 0) {
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
    }
  }
  const response = new Response(EMPTY.has(status) ? null : (request.response as Blob), { status, statusText, headers })
  const isRedirected = new URL(url, document.baseURI).href.split('#')[0] !== responseURL
  return Object.defineProperties(response, { url: { value: responseURL }, redirected: { value: isRedirected } })
}
