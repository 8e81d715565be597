import type { JsonSchema } from './Description.ts'
import { itemOf } from './findRecord.ts'
import { type FileScope } from './FileScope.ts'
import { type Model, typesOf } from './Model.ts'
import { camelCase, Names } from './names.ts'
import { arrayDoc, callDoc, type Doc, literal, memberName, objectDoc, print } from './print.ts'
import type { Operation } from './readOperations.ts'
import type { Types } from './Types.ts'
import type { Options, TagTask } from './TagTask.ts'

/** Members that are only in responses are not needed in bodies, and the other way round. */
type Direction = 'body' | 'response'

/** Writes zod schemas for bodies and responses, and a file with those that have a name. */
export class Validators {
  readonly #types: Types
  readonly #model: Model
  readonly #parts = new Map<string, Doc>()
  readonly #names = new Names(['z'])
  readonly #constants = new Map<string, string>()
  readonly #pending: { readonly name: string; readonly constant: string; readonly direction: Direction }[] = []

  constructor(types: Types) {
    this.#types = types
    this.#model = types.model
  }

  /** Adds the checks of an operation to the options of its endpoint. */
  add({ scope }: TagTask, { body, response, method, name }: Operation, options: Options): void {
    if (body?.kind === 'json' && options.has('body')) {
      options.set('validateBody', this.#use(scope, body.schema, `${name}Body`, 'body'))
    }
    if (response.content === 'json' && response.schema !== undefined) {
      const validator = this.#use(scope, response.schema, `${name}Response`, 'response')
      // A `Link` header belongs to the value that was parsed, and zod returns another one.
      const hasLink = print(options.get('getNextPage') ?? '').includes('nextLink')
      if (hasLink) {
        scope.useHelper('keepLink')
      }
      options.set('validateResponse', hasLink ? `keepLink(${validator})` : validator)
    } else if (method === 'post') {
      // `create` is made from the list, and would inherit its check.
      options.set('validateResponse', 'undefined')
    }
  }

  #use(scope: FileScope, schema: JsonSchema, wanted: string, direction: Direction): string {
    scope.useOutside(`import * as validators from '${scope.pathTo('validators')}'`)
    const { name } = this.#model.resolve(schema)
    if (name !== undefined && !this.#model.isNullable(schema)) {
      return `validators.${this.#constant(name, direction)}`
    }
    const constant = this.#names.take(wanted)
    this.#parts.set(constant, this.#doc(schema, direction))
    return `validators.${constant}`
  }

  /** The file with all schemas. */
  write(): string {
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      this.#parts.set(next.constant, this.#structure(this.#model.component(next.name), next.direction))
    }
    const parts = [...this.#parts].map(([constant, doc]) => print([`export const ${constant}: z.ZodType = `, doc]))
    return `import { z } from 'zod'\n\n${parts.sort().join('\n\n')}\n`
  }

  #doc(node: JsonSchema, direction: Direction): Doc {
    const { name, schema } = this.#model.resolve(node)
    const own =
      name === undefined ? this.#structure(schema, direction) : `z.lazy(() => ${this.#constant(name, direction)})`
    return this.#model.isNullable(node) ? callDoc('z.nullable', [own]) : own
  }

  #constant(name: string, direction: Direction): string {
    const isOther = direction === 'body' && this.#model.hasDirections(this.#model.component(name))
    const wanted = isOther ? `${camelCase(name)}Body` : camelCase(name)
    const key = isOther ? `${name} body` : name
    const known = this.#constants.get(key)
    if (known !== undefined) {
      return known
    }
    const constant = this.#names.take(wanted)
    this.#constants.set(key, constant)
    this.#pending.push({ name, constant, direction: isOther ? 'body' : 'response' })
    return constant
  }

  #structure(schema: JsonSchema, direction: Direction): Doc {
    const model = this.#model
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
        ? this.#doc(options[0]!, direction)
        : callDoc('z.union', [arrayDoc(options.map((option) => this.#doc(option, direction)))])
    }
    const view = model.view(schema)
    if (view !== undefined) {
      if (view.properties.size === 0) {
        const value = typeof view.additional === 'object' ? this.#doc(view.additional, direction) : 'z.unknown()'
        return callDoc('z.record', ['z.string()', value])
      }
      const isNeeded = (name: string, node: JsonSchema): boolean =>
        view.required.has(name) && (model.directionOf(node) ?? direction) === direction
      const members = [...view.properties].map(([name, node]): Doc => {
        const value = this.#doc(node, direction)
        return [
          `${memberName(this.#types.field(name))}: `,
          isNeeded(name, node) ? value : callDoc('z.optional', [value]),
        ]
      })
      return callDoc('z.looseObject', [objectDoc(members)])
    }
    const item = itemOf(model, schema)
    if (item !== undefined) {
      return callDoc('z.array', [this.#doc(item, direction)])
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
