import type { AnyRow } from '../lists/ListRow.ts'
import type { FieldsFact } from '../advice/Explanation.ts'
import type { Controller } from '../controller/Controller.ts'
import { stampOf } from '../records/Stamps.ts'
import { INVALID } from '../schema/Schema.ts'
import type { Meta } from '../rows/Meta.ts'
import type { History } from './history.ts'

/** The writers of each field of a record, the last writer first. */
export function fieldsOf(controller: Controller, history: History, row: AnyRow): FieldsFact[] {
  const { value, by, pending = [] } = row
  const facts: FieldsFact[] = []
  for (const { by: operation, fields } of [...pending].reverse()) {
    const known = controller.core.store.pending.find((one) => one === operation)
    const { key = 'a pending operation', meta } = (known?.action ?? {}) as {
      key?: string
      meta?: { fetchedAt: number }
    }
    facts.push({
      by: key,
      at: meta?.fetchedAt ?? controller.clock.now(),
      fields: fields === INVALID ? [] : Object.keys(fields ?? {}),
      status: 'pending',
    })
  }
  const byMeta = new Map<Meta, string[]>()
  for (const name of typeof value === 'object' && value !== null ? Object.keys(value) : []) {
    const meta = stampOf(by, name)
    if (meta) {
      byMeta.set(meta, [...(byMeta.get(meta) ?? []), name])
    }
  }
  const stored = [...byMeta].sort(([a], [b]) => b.at - a.at)
  return [
    ...facts,
    ...stored.map(([meta, fields]) => ({
      by: writerOf(history, meta),
      at: meta.date,
      fields,
      status: 'stored' as const,
    })),
  ]
}

/** The request or call that a response belongs to. */
export function writerOf(history: History, { sent, at }: Meta): string {
  return (
    history.origin(sent)?.label ??
    (at === 0 ? 'A state that was restored' : 'A response from before the recording began')
  )
}
