import type { StandardSchemaV1 } from '../base/standardSchema.ts'
import type { Meta } from '../rows/Meta.ts'
import type { IQueryDelegate } from './Schema.ts'

/** An Entity class, as far as the heart knows it. `kinds/Entity.ts` is one, and says what the members mean. */
export interface RecordClass {
  readonly prototype: any
  readonly name: string
  readonly entityBase?: RecordClass | undefined
  /** The code of records (`kinds/recordCode.ts`). */
  readonly code: object
  readonly key: string
  readonly schema: { readonly [field: string]: any }
  readonly defaults: any
  readonly indexes?: readonly string[]
  readonly required?: readonly string[]
  readonly automaticValidation?: 'warn' | 'silent'
  readonly validate?: ((processed: any) => string | undefined | void) | StandardSchemaV1
  process(input: any, parent: any, key: string | undefined, args: readonly any[]): any
  pk(value: any, parent?: any, key?: string, args?: readonly any[]): string | number | undefined
  merge(existing: any, incoming: any): any
  shouldReorder(existingMeta: Meta, incomingMeta: Meta, existing: any, incoming: any): boolean
  shouldUpdate(existingMeta: Meta, incomingMeta: Meta, existing: any, incoming: any): boolean
  mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: any, incoming: any): any
  mergeMetaWithStore(existingMeta: Meta, incomingMeta: Meta, existing: any, incoming: any): Meta
  queryKey(args: readonly any[], unvisit: unknown, delegate: IQueryDelegate): string | undefined
  fromJS(props?: any): any
  [Symbol.hasInstance](value: unknown): boolean
}
