import { type Found, isSurelyList } from './findRecord.ts'
import type { Member, RecordPlan } from './inferResources.ts'
import type { Model } from './Model.ts'
import { lastParam } from './paths.ts'
import type { Operation } from './readOperations.ts'

/**
 * True for an update whose response says that it is done, such as `{ id, updated_at }` or `{ message }`, and has no field that was sent.
 */
export function isReceipt(
  model: Model,
  operation: Operation,
  member: Member,
  { entity, keyParam }: Pick<RecordPlan, 'entity' | 'keyParam'>,
  found: Found | undefined,
): boolean {
  const { body, method } = operation
  const sent = body?.kind === 'json' ? model.view(body.schema) : undefined
  const got = found === undefined || isSurelyList(found) ? undefined : model.view(found.schema)
  const isUpdate = (member === 'update' || member === 'partialUpdate') && (method === 'put' || method === 'patch')
  if (!isUpdate || sent === undefined || got === undefined || !keyParam?.params.has(lastParam(operation))) {
    return false
  }
  const fields = [...sent.properties]
    .filter(([field, node]) => !entity.key.includes(field) && model.resolve(node).schema.readOnly !== true)
    .map(([field]) => field)
    .filter((field) => entity.view.properties.has(field))
  const others = [...got.properties].filter(([field]) => !entity.key.includes(field))
  return (
    fields.length > 0 &&
    others.length > 0 &&
    others.every(([field, node]) => RECEIPT.test(field) && model.view(node) === undefined && !fields.includes(field))
  )
}

const RECEIPT =
  /^(?:ok|success|status|message|msg|code|detail|result|version|rev|revision|etag|.*count|(?:affected|modified|updated|changed|last_?(?:modified|updated)).*|.*id)$/i
