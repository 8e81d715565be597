import type { JsonSchema } from './Description.ts'
import { itemOf } from './findRecord.ts'
import { type FileScope } from './FileScope.ts'
import { typesOf } from './Model.ts'
import { camelCase, Names } from './names.ts'
import { arrayDoc, callDoc, type Doc, literal, memberName, objectDoc, print } from './print.ts'
import type { Operation } from './readOperations.ts'
import type { Types } from './Types.ts'
import type { Options, TagTask } from './writeEndpoint.ts'

/** Writes zod schemas for bodies and responses, and a file with those that have a name. */
export class Validators {
  readonly #types: Types
  readonly #names = new Names(['z'])
  readonly #constants = new Map<string, string>()
  readonly #pending: string[] = []

  constructor(types: Types) {
    this.#types = types
  }

  /** Adds the checks of an operation to the options of its endpoint. */
  add({ scope }: TagTask, { body, response, method }: Operation, options: Options): void {
    if (body?.kind === 'json' && options.has('body')) {
      options.set('validateBody', this.#use(scope, body.schema))
    }
    // A `Link` header belongs to the value that was parsed, and zod returns another one.
    const hasLink = String(options.get('getNextPage') ?? '').includes('nextLink')
    if (response.content === 'json' && response.schema !== undefined && !hasLink) {
      options.set('validateResponse', this.#use(scope, response.schema))
    } else if (method === 'post') {
      // `create` is made from the list, and would inherit its check.
      options.set('validateResponse', 'undefined')
    }
  }

  #use(scope: FileScope, schema: JsonSchema): Doc {
    scope.useOutside(`import * as validators from '${scope.pathTo('validators')}'`)
    const inner = (name: string): string => `validators.${name}`
    const doc = this.#doc(schema, inner)
    if (print(doc).includes('z.')) {
      scope.useOutside(`import { z } from 'zod'`)
    }
    return doc
  }

  /** The file with all schemas that have a name. */
  write(): string {
    const parts: string[] = []
    for (let name = this.#pending.shift(); name !== undefined; name = this.#pending.shift()) {
      const constant = this.#constants.get(name)!
      const doc = this.#structure(this.#types.model.component(name), (other) => `z.lazy(() => ${other})`)
      parts.push(print([`export const ${constant}: z.ZodType = `, doc]))
    }
    return `import { z } from 'zod'\n\n${parts.sort().join('\n\n')}\n`
  }

  #doc(node: JsonSchema, refer: (name: string) => string): Doc {
    const { name, schema } = this.#types.model.resolve(node)
    const own = name === undefined ? this.#structure(schema, refer) : refer(this.#constant(name))
    return this.#types.model.isNullable(node) ? callDoc('z.nullable', [own]) : own
  }

  #constant(name: string): string {
    const known = this.#constants.get(name)
    if (known !== undefined) {
      return known
    }
    const constant = this.#names.take(camelCase(name))
    this.#constants.set(name, constant)
    this.#pending.push(name)
    return constant
  }

  #structure(schema: JsonSchema, refer: (name: string) => string): Doc {
    const { model } = this.#types
    if (schema.const !== undefined) {
      return `z.literal(${literal(schema.const)})`
    }
    if (schema.enum !== undefined) {
      const values = schema.enum.filter((value) => value !== null && typeof value !== 'object')
      return values.length === 0 ? 'z.unknown()' : callDoc('z.literal', [arrayDoc(values.map(literal))])
    }
    const options = model.options(schema)
    if (options.length !== 1 || options[0] !== schema) {
      return options.length === 1
        ? this.#doc(options[0]!, refer)
        : callDoc('z.union', [arrayDoc(options.map((option) => this.#doc(option, refer)))])
    }
    const view = model.view(schema)
    if (view !== undefined) {
      if (view.properties.size === 0) {
        const value = typeof view.additional === 'object' ? this.#doc(view.additional, refer) : 'z.unknown()'
        return callDoc('z.record', ['z.string()', value])
      }
      const members = [...view.properties].map(([name, node]): Doc => {
        const value = this.#doc(node, refer)
        return [
          `${memberName(this.#types.field(name))}: `,
          view.required.has(name) ? value : callDoc('z.optional', [value]),
        ]
      })
      return callDoc('z.looseObject', [objectDoc(members)])
    }
    const item = itemOf(model, schema)
    if (item !== undefined) {
      return callDoc('z.array', [this.#doc(item, refer)])
    }
    const types = typesOf(schema).filter((type) => type !== 'null')
    const own = types.map((type) => PRIMITIVES[type] ?? 'z.unknown()')
    return own.length === 1 ? own[0]! : own.length === 0 ? 'z.unknown()' : callDoc('z.union', [arrayDoc(own)])
  }
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'z.string()',
  number: 'z.number()',
  integer: 'z.int()',
  boolean: 'z.boolean()',
  array: 'z.array(z.unknown())',
}
