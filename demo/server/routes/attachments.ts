import { bodyLimit } from 'hono/body-limit'
import type { Api, Services } from '../api.ts'
import { invalid, Problem } from '../problem.ts'
import { readAttachment, readAttachments } from '../records.ts'
import { found, readId } from '../validate.ts'

const LARGEST = 10 * 1024 * 1024
/** The bytes that a form adds around its file. */
const ENVELOPE = 10 * 1024

export function addAttachmentRoutes(app: Api, { db, clock, events }: Services): void {
  app.get('/api/issues/:issue/attachments', (c) => c.json(readAttachments(db, findIssue(readId(c, 'issue')))))

  app.post('/api/issues/:issue/attachments', limitTo(LARGEST + ENVELOPE), async (c) => {
    const issue = findIssue(readId(c, 'issue'))
    const file = await readFile(c.req.raw)
    const name = toFileName(file.name)
    const data = new Uint8Array(await file.arrayBuffer())
    const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream'
    const createdAt = new Date(clock.now()).toISOString()
    const id = events.write((note) => {
      const columns = { issue, name, type, size: data.length, person: c.get('person'), createdAt, data }
      const id = db.insert('attachments', columns)
      note('attachment', id, 'create')
      return id
    })
    return c.json(readAttachment(db, id), 201)
  })

  app.get('/api/attachments/:id/file', (c) => {
    const row = db.get<{ name: string; type: string; data: ArrayBuffer }>(
      'SELECT name, type, data FROM attachments WHERE id = ?',
      readId(c),
    )
    const { name, type, data } = found(row, 'attachment')
    return c.body(data, 200, {
      // Attachments are not trusted: the browser saves them and runs nothing in them.
      'content-type': type,
      'content-disposition': `attachment; filename*=UTF-8''${encodeFileName(name)}`,
      'content-length': String(data.byteLength),
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  app.delete('/api/attachments/:id', (c) => {
    const id = readId(c)
    found(readAttachment(db, id), 'attachment')
    events.write((note) => {
      db.run('DELETE FROM attachments WHERE id = ?', id)
      note('attachment', id, 'delete')
    })
    return c.body(null, 204)
  })

  function findIssue(id: number): number {
    found(db.get('SELECT 1 FROM issues WHERE id = ?', id), 'issue')
    return id
  }
}

export function limitTo(maxSize: number): ReturnType<typeof bodyLimit> {
  return bodyLimit({
    maxSize,
    onError() {
      throw new Problem(413, `The body is larger than ${Math.floor(maxSize / 1024)} kB.`)
    },
  })
}

async function readFile(request: Request): Promise<File> {
  if (!/^multipart\/form-data\s*;/i.test(request.headers.get('content-type') ?? '')) {
    throw new Problem(415, 'The body must be multipart/form-data.')
  }
  const form = await request.formData().catch((error: unknown) => {
    if (error instanceof TypeError) {
      throw new Problem(400, 'The body is not a form.')
    }
    throw error
  })
  const file = form.get('file')
  if (!(file instanceof File)) {
    throw invalid({ file: 'is required' })
  }
  if (file.size > LARGEST) {
    throw new Problem(413, 'The file is larger than 10 MB.')
  }
  return file
}

// A name is a name and no path: it is shown, and offered for saving.
function toFileName(given: string): string {
  // oxlint-disable-next-line no-control-regex
  const name = given.replace(/^.*[/\\]/s, '').replace(/[\u0000-\u001F\u007F\p{Surrogate}]/gu, '')
  const trimmed = Array.from(name).slice(-120).join('').trim()
  return /^\.*$/.test(trimmed) ? 'file' : trimmed
}

function encodeFileName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
