import type { Config } from './config.ts'
import type { JsonSchema } from './Description.ts'
import { findRecord, itemOf } from './findRecord.ts'
import type { Model } from './Model.ts'
import { envelopeOf, subjectOf } from './paths.ts'
import type { Operation } from './readOperations.ts'

/** Where schemas are used. */
export class Uses {
  readonly #collections = new Map<string, Set<string>>()
  readonly #nested = new Set<string>()
  readonly #reachable = new Set<string>()
  readonly #model: Model

  constructor(model: Model, operations: readonly Operation[], config: Config) {
    this.#model = model
    for (const operation of operations) {
      const collection = operation.place.replace(/\/\{[^}]+\}$/, '')
      const found = findRecord(model, operation.response.schema, subjectOf(collection), envelopeOf(operation, config))
      const { name } = found ? model.resolve(found.schema) : { name: undefined }
      if (name !== undefined) {
        this.#collections.set(name, (this.#collections.get(name) ?? new Set()).add(collection))
      }
      if (operation.response.schema !== undefined) {
        this.#walk(operation.response.schema, false)
      }
    }
  }

  collectionsOf(name: string): ReadonlySet<string> {
    return this.#collections.get(name) ?? new Set()
  }

  /** True if objects of the schema are inside objects of another one. */
  isNested(name: string): boolean {
    return this.#nested.has(name)
  }

  /** The named schemas that responses contain, in the order in which they are met. */
  reachable(): ReadonlySet<string> {
    return this.#reachable
  }

  #walk(node: JsonSchema, isInside: boolean): void {
    const { name, schema } = this.#model.resolve(node)
    if (name !== undefined) {
      if (isInside) {
        this.#nested.add(name)
      }
      if (this.#reachable.has(name)) {
        return
      }
      this.#reachable.add(name)
    }
    const within = isInside || name !== undefined
    const item = itemOf(this.#model, schema)
    if (item !== undefined) {
      this.#walk(item, isInside)
    }
    for (const option of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
      this.#walk(option, isInside)
    }
    const view = this.#model.view(schema)
    for (const member of view?.properties.values() ?? []) {
      this.#walk(member, within)
    }
    if (typeof view?.additional === 'object') {
      this.#walk(view.additional, within)
    }
  }
}
