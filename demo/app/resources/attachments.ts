import { Entity, resource } from 'restitch'
import { ApiEndpoint } from './api.ts'
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
    async parseResponse(response: Response) {
      const [, name = 'file'] =
        /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '') ?? []
      return { name: decodeURIComponent(name), blob: await response.blob() }
    },
  }),
}))
