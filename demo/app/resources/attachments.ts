import { Entity, NetworkError, resource } from 'restitch'
import { ApiEndpoint, explain } from './api.ts'
import { Person } from './people.ts'

export class Attachment extends Entity {
  id = ''
  issue = ''
  name = ''
  type = ''
  size = 0
  by = Person.fromJS()
  createdAt = new Date(0)
  url = ''
  static override key = 'Attachment'
  static override schema = { by: Person, createdAt: Date }
}

/** Told how much of a file is through, from 0 to 1. */
export type OnProgress = (share: number) => void

export const AttachmentResource = resource({
  path: '/issues/:issue/attachments/:id',
  schema: Attachment,
  body: {} as FormData,
  Endpoint: ApiEndpoint,
}).extend((base) => ({
  delete: base.delete.extend({
    path: '/attachments/:id',
    getOptimisticResponse: (_snapshot, { id }: { id: string }) => ({ id }),
  }),
  download: base.get.extend({
    path: '/attachments/:id/file',
    schema: undefined,
    dataExpiryLength: 0,
  }),
}))

/** `fetch` tells nothing of an upload, so this one is sent by XMLHttpRequest. */
export const uploadWith = (onProgress: OnProgress) =>
  AttachmentResource.getList.push.extend({
    fetchResponse: (url: string, init: RequestInit) => sendByXhr(url, init, onProgress),
  })

/** Reads the body piece by piece, and counts. */
export const downloadWith = (onProgress: OnProgress) =>
  AttachmentResource.download.extend({
    async parseResponse(response: Response) {
      const total = Number(response.headers.get('content-length'))
      const pieces: Uint8Array<ArrayBuffer>[] = []
      let read = 0
      for (const reader = response.body!.getReader(); ;) {
        const { done, value } = await reader.read()
        if (done) {
          break
        }
        pieces.push(value)
        onProgress((read += value.length) / total)
      }
      const [, name = 'file'] =
        /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '') ?? []
      return { name: decodeURIComponent(name), blob: new Blob(pieces) }
    },
  })

function sendByXhr(url: string, init: RequestInit, onProgress: OnProgress): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'POST', url)
    request.responseType = 'blob'
    for (const [name, value] of new Headers(init.headers)) {
      request.setRequestHeader(name, value)
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('error', () =>
      reject(Object.assign(new TypeError('The server cannot be reached.'), { status: 500 })),
    )
    request.addEventListener('load', () => {
      const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' }
      const response = new Response(request.response, { status: request.status, headers })
      if (response.ok) {
        resolve(response)
      } else {
        explain(new NetworkError(response)).then(reject, reject)
      }
    })
    init.signal?.addEventListener('abort', () => request.abort())
    request.send(init.body as FormData)
  })
}
