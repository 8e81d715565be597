import { createHash } from 'node:crypto'
import type { ApiContext } from './api.ts'
import { Problem } from './problem.ts'

/** Responds with a record and its ETag, or with 304 if the client has exactly this one. */
export function sendRecord(c: ApiContext, record: object, status: 200 | 201 = 200): Response {
  const etag = etagOf(record)
  c.header('etag', etag)
  c.header('cache-control', 'private, no-cache')
  if (c.req.method === 'GET' && readTags(c, 'if-none-match').some((tag) => tag === '*' || bare(tag) === etag)) {
    return c.body(null, 304)
  }
  return c.json(record, status)
}

/** A write with `If-Match` must name the record as it is now. */
export function refuseChanged(c: ApiContext, record: object & { revision?: unknown }): void {
  const tags = readTags(c, 'if-match')
  if (tags.length > 0 && !tags.some((tag) => tag === '*' || tag === etagOf(record))) {
    throw new Problem(412, `It has been changed since: it is now at revision ${Number(record.revision)}.`)
  }
}

// Of all that is sent, since a record contains others: the revision stays when a person is renamed.
function etagOf(record: object): string {
  return `"${createHash('sha1').update(JSON.stringify(record)).digest('base64url')}"`
}

function readTags(c: ApiContext, name: string): string[] {
  return (c.req.header(name) ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

function bare(tag: string): string {
  return tag.replace(/^W\//, '')
}
