import type { JsonSchema } from './Description.ts'
import type { Model, ObjectView } from './Model.ts'

/** A schema whose objects are records of the store. */
export interface EntityInfo {
  /** The name of the schema. */
  readonly schema: string
  /** Schemas with the same table are several forms of one record. */
  readonly table: string
  /** The fields of the key; with dots for a field inside a field. */
  readonly key: readonly string[]
  /** Path parameters that belong to the key. */
  readonly scope: readonly string[]
  readonly view: ObjectView
}

/** The entities of a description. */
export class Entities {
  readonly byName: ReadonlyMap<string, EntityInfo>
  readonly #bySignature = new Map<string, EntityInfo | null>()
  /** Schemas that are the same record with another name, such as one that is nullable. */
  readonly #aliases: ReadonlyMap<string, string>
  readonly #model: Model

  constructor(model: Model, byName: ReadonlyMap<string, EntityInfo>, aliases: ReadonlyMap<string, string>) {
    this.byName = byName
    this.#aliases = aliases
    this.#model = model
    for (const entity of byName.values()) {
      const signature = signatureOf(entity.view)
      this.#bySignature.set(signature, this.#bySignature.has(signature) ? null : entity)
    }
  }

  /** The entity of a schema, by its name or because it has the same fields. */
  of(node: JsonSchema): EntityInfo | undefined {
    const { name, schema } = this.#model.resolve(node)
    if (name !== undefined) {
      return this.named(name)
    }
    // A record with something added is still that record.
    const extended = (schema.allOf ?? []).flatMap((part) => this.of(part) ?? [])
    if (extended.length === 1) {
      return extended[0]
    }
    const view = schema.properties && this.#model.view(schema)
    // A few fields may be alike by chance.
    return view && view.properties.size > 4 ? (this.#bySignature.get(signatureOf(view)) ?? undefined) : undefined
  }

  named(name: string): EntityInfo | undefined {
    return this.byName.get(this.#aliases.get(name) ?? name)
  }
}

const signatures = new WeakMap<ObjectView, string>()

/** The names of the fields of an object. */
export function signatureOf(view: ObjectView): string {
  const signature = signatures.get(view) ?? [...view.properties.keys()].sort().join(' ')
  signatures.set(view, signature)
  return signature
}
