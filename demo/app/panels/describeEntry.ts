import type { Controller } from 'restitch'
import type { OutboxEntry } from 'restitch/outbox'
import { STATUS_LABELS } from '../parts/badges.tsx'
import { Issue, type IssueDraft } from '../resources/issues.ts'

const FIELDS: Readonly<Record<string, string>> = { body: 'description', dueOn: 'due date', rank: 'position' }
const COMMENTS: Readonly<Record<string, string>> = {
  'comment.create': 'New comment',
  'comment.update': 'Edited comment',
  'comment.delete': 'Deleted comment',
}

/** A queued write in words: `WEB-12: move to Done`. An entry is data, also one of an earlier visit. */
export function describeEntry({ endpoint, args }: OutboxEntry, controller: Pick<Controller, 'get'>): string {
  const [{ id, issue = id }, body = {}] = args as [{ id?: string; issue?: string }, Partial<IssueDraft>?]
  if (endpoint.startsWith('comment.')) {
    return `${COMMENTS[endpoint]}${body.body ? `: “${body.body}”` : ''}`
  }
  const known = issue === undefined ? undefined : controller.get(Issue, { id: issue })
  const { status, title } = body
  const change = status
    ? `move to ${STATUS_LABELS[status]}`
    : title
      ? `rename to “${title}”`
      : `change the ${Object.keys(body)
          .map((field) => FIELDS[field] ?? field)
          .join(', ')}`
  return `${known?.key ?? `Issue ${issue}`}: ${change}`
}

/** Where a queued write stands, in words. */
export function describeState({ state, isSending, attempts, error }: OutboxEntry): string {
  if (state === 'failed') {
    return `Refused: ${error?.message}`
  }
  if (state === 'conflict') {
    return 'Another user has changed this, too.'
  }
  if (isSending) {
    return 'Sending…'
  }
  const tries = attempts === 1 ? 'once' : `${attempts} times`
  return attempts === 0 ? 'Saved, waits to be sent' : `Sent ${tries}, without a response`
}
