import type * as t from '@babel/types'
import { type Api, envelopeOf, type EndpointPlan, type EntityPlan, type Operation, type ResourcePlan } from './Api.ts'
import { Unconvertible, Unwritable } from './errors.ts'
import type { Project, Ref } from './Project.ts'
import { findType, type Field, shapeOf } from './types.ts'
import { type Entry, print, type Printing, quote, stringOf, type TypeHint } from './values.ts'

/** The module of an earlier run, and the entities in it. */
export interface Earlier {
  readonly from: string
  readonly names: ReadonlySet<string>
}

const DOCS = 'https://unpkg.com/restitch/docs'

/** The module with entities, resources and endpoints. */
export function writeApi(
  project: Project,
  api: Api,
  target: string,
  isTyped: boolean,
  earlier: Earlier,
): { text: string; exports: Ref[] } {
  return new Writer(project, api, target, isTyped, earlier).write()
}

class Writer {
  readonly #project: Project
  readonly #api: Api
  readonly #target: string
  readonly #isTyped: boolean
  readonly #imports = new Map<string, Map<string, string>>()
  readonly #types = new Map<string, Set<string>>()
  readonly #exports: Ref[] = []
  readonly #core = new Set<string>()
  readonly #written = new Set<string>()

  readonly #earlier: Earlier

  constructor(project: Project, api: Api, target: string, isTyped: boolean, earlier: Earlier) {
    this.#earlier = earlier
    this.#project = project
    this.#api = api
    this.#target = target
    this.#isTyped = isTyped
  }

  write(): { text: string; exports: Ref[] } {
    const entities = this.#entities()
    const classes = this.#classes()
    const resources = this.#api.resources.map((resource) =>
      attempt([...resource.operations.values()][0]?.key, () => this.#resource(resource)),
    )
    const endpoints = this.#api.endpoints.map((endpoint) =>
      attempt(endpoint.operation.key, () => this.#endpoint(endpoint)),
    )
    const functions = [...this.#api.functions.values()].map(({ name, fn }) => {
      this.#core.add('Endpoint')
      return `export const ${name} = new Endpoint(${this.#use(fn)}, { name: ${quote(fn.name)} })\n`
    })
    const lines = [`import { ${[...this.#core].sort(ignoreCase).join(', ')} } from 'restitch'`]
    for (const [from, names] of [...this.#types].sort(([a], [b]) => (a < b ? -1 : 1))) {
      lines.push(`import type { ${[...names].sort(ignoreCase).join(', ')} } from ${quote(from)}`)
    }
    for (const [from, names] of [...this.#imports].sort(([a], [b]) => (a < b ? -1 : 1))) {
      lines.push(
        `import { ${[...names].map(([name, local]) => (name === local ? name : `${name} as ${local}`)).join(', ')} } from ${quote(from)}`,
      )
    }
    const parts = [`${lines.join('\n')}\n`, ...entities, ...classes, ...resources, ...endpoints, ...functions]
    return { text: parts.join('\n'), exports: this.#exports }
  }

  #entities(): string[] {
    const plans = [...this.#api.entities.values()]
    const used = new Set<EntityPlan>()
    const reach = (plan: EntityPlan | undefined): void => {
      if (plan && !used.has(plan)) {
        used.add(plan)
        plan.fields?.forEach((field) => reach(this.#related(field)?.plan))
      }
    }
    for (const plan of [...this.#api.resources, ...this.#api.endpoints]) {
      reach(plan.entity)
    }
    const texts: string[] = []
    const pending = plans.filter((plan) => used.has(plan))
    while (pending.length > 0) {
      // A class stands after those that it relates to; in a circle, the first one names the others in a getter.
      const ready = pending.find((plan) =>
        (plan.fields ?? []).every((field) => {
          const other = this.#related(field)?.plan
          return !other || other === plan || this.#written.has(other.name)
        }),
      )
      const next = ready ?? pending[0]!
      pending.splice(pending.indexOf(next), 1)
      if (this.#earlier.names.has(next.name)) {
        const from = this.#project.specifier(this.#target, this.#earlier.from)
        this.#imports.set(from, (this.#imports.get(from) ?? new Map()).set(next.name, next.name))
      } else {
        texts.push(this.#entity(next))
      }
      this.#written.add(next.name)
    }
    return texts
  }

  #related(field: Field): { plan: EntityPlan; isList: boolean } | undefined {
    const shape = shapeOf(this.#project, field.type)
    const inner = shape.kind === 'list' ? shape.item : shape
    const plan = inner.kind === 'record' ? this.#api.entities.get(inner.name) : undefined
    return plan && { plan, isList: shape.kind === 'list' }
  }

  #entity(plan: EntityPlan): string {
    this.#core.add('Entity')
    const override = this.#isTyped ? 'override ' : ''
    const lines: string[] = []
    const relations: string[] = []
    let isLate = false
    if (!plan.fields) {
      lines.push("  id = ''")
    }
    for (const field of plan.fields ?? []) {
      const related = this.#related(field)
      lines.push(`  ${this.#field(field, related, plan)}`)
      if (related) {
        isLate ||= !this.#written.has(related.plan.name)
        relations.push(`${field.name}: ${related.isList ? `[${related.plan.name}]` : related.plan.name}`)
      }
    }
    lines.push(`  static ${override}key = ${quote(plan.name)}`)
    if (relations.length > 0) {
      const text = `{ ${relations.join(', ')} }`
      lines.push(
        isLate
          ? `  static ${override}get schema()${this.#isTyped ? ': any' : ''} {\n    return ${text}\n  }`
          : `  static ${override}schema = ${text}`,
      )
    }
    const optional = (plan.fields ?? []).filter((field) => field.isOptional)
    if (plan.fields && optional.length > 0) {
      const needed = plan.fields.filter((field) => !field.isOptional).map((field) => quote(field.name))
      lines.push(`  static ${override}required = [${needed.join(', ')}]`)
    }
    if (plan.id !== 'id') {
      lines.push(`\n  ${override}pk() {\n    return this.${plan.id}\n  }`)
    }
    const comment = plan.fields
      ? ''
      : `// Declare the fields that your screens need: a detail is fetched if one is missing. ${DOCS}/guide/summaries.md\n`
    return `${comment}export class ${plan.name} extends Entity {\n${lines.join('\n')}\n}\n`
  }

  #field(field: Field, related: { plan: EntityPlan; isList: boolean } | undefined, owner: EntityPlan): string {
    const { name } = field
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
    const { node } = field.type
    if (field.isOptional) {
      return this.#isTyped ? `${key}: ${this.#type(field.type)} | undefined = undefined` : `${key} = undefined`
    }
    if (related && !related.isList && node.type !== 'TSUnionType') {
      return related.plan !== owner && this.#written.has(related.plan.name)
        ? `${key} = ${related.plan.name}.fromJS()`
        : this.#isTyped
          ? `${key} = {} as ${related.plan.name}`
          : `${key} = {}`
    }
    switch (node.type) {
      case 'TSStringKeyword':
        return `${key} = ''`
      case 'TSNumberKeyword':
        return `${key} = 0`
      case 'TSBooleanKeyword':
        return `${key} = false`
      default: {
        const [value, isExact] = this.#defaultOf(field.type)
        return this.#isTyped && !isExact ? `${key}: ${this.#type(field.type)} = ${value}` : `${key} = ${value}`
      }
    }
  }

  /** A default value, and whether it has the type by itself. */
  #defaultOf(type: TypeHint): [string, boolean] {
    const { node, file } = type
    if (
      node.type === 'TSArrayType' ||
      node.type === 'TSTupleType' ||
      (node.type === 'TSTypeReference' && /^(?:Readonly)?Array\b/.test(file.code(node)))
    ) {
      return ['[]', false]
    }
    if (node.type === 'TSUnionType') {
      if (node.types.some((option) => option.type === 'TSNullKeyword')) {
        return ['null', false]
      }
      if (node.types.some((option) => option.type === 'TSUndefinedKeyword')) {
        return ['undefined', false]
      }
      const [first] = node.types
      if (first?.type === 'TSLiteralType') {
        return [file.code(first.literal), false]
      }
      if (first) {
        return [this.#defaultOf({ node: first, file })[0], false]
      }
    }
    switch (node.type) {
      case 'TSStringKeyword':
        return ["''", true]
      case 'TSNumberKeyword':
        return ['0', true]
      case 'TSBooleanKeyword':
        return ['false', true]
      case 'TSLiteralType':
        return [file.code(node.literal), false]
      case 'TSNullKeyword':
        return ['null', false]
      case 'TSTypeReference': {
        const found =
          node.typeName.type === 'Identifier' ? findType(this.#project, file, node.typeName.name) : undefined
        if (found?.node.type === 'TSTypeAliasDeclaration' && found.node.typeAnnotation.type !== 'TSTypeLiteral') {
          const inner = this.#defaultOf({ node: found.node.typeAnnotation, file: found.ref.file })
          return [inner[0], false]
        }
        break
      }
      default:
    }
    return [this.#isTyped ? `{} as ${this.#type(type)}` : '{}', true]
  }

  /** The code of a type, with the imports that it needs. */
  #type({ node, file }: TypeHint): string {
    let text = file.code(node)
    const visit = (inner: t.Node): void => {
      if (inner.type === 'TSTypeReference' && inner.typeName.type === 'Identifier') {
        this.#useType(inner.typeName.name, file)
      }
    }
    visit(node)
    file.pathOf(node).traverse({ enter: (path) => visit(path.node) })
    if (node.type === 'TSFunctionType' || (node.type === 'TSUnionType' && text.startsWith('|'))) {
      text = `(${text})`
    }
    return text
  }

  #useType(name: string, file: import('./Project.ts').SourceFile): void {
    if (this.#api.entities.has(name)) {
      return
    }
    const found = findType(this.#project, file, name)
    if (found) {
      this.#exports.push(found.ref)
      const from = this.#project.specifier(this.#target, found.ref.file.path)
      this.#types.set(from, (this.#types.get(from) ?? new Set()).add(name))
      return
    }
    const binding = file.program.scope.getBinding(name)
    const imported = binding && this.#project.importOf(file, binding)
    if (imported && !imported.from.startsWith('.')) {
      this.#types.set(imported.from, (this.#types.get(imported.from) ?? new Set()).add(imported.name))
    }
  }

  #classNames = new Map<string, string>()

  /** A class for the requests with headers. */
  #classes(): string[] {
    const texts: string[] = []
    const operations = [
      ...this.#api.resources.flatMap((resource) => [...resource.operations.values()]),
      ...this.#api.endpoints.map(({ operation }) => operation),
    ]
    for (const operation of operations) {
      const key = this.#headersKey(operation)
      if (key === '' || this.#classNames.has(key)) {
        continue
      }
      const name = this.#classNames.size === 0 ? 'ApiEndpoint' : `ApiEndpoint${this.#classNames.size + 1}`
      this.#classNames.set(key, name)
      this.#core.add('RestEndpoint')
      const lines: string[] = []
      if (operation.credentials) {
        lines.push(
          `  ${this.#isTyped ? 'override ' : ''}requestInit${this.#isTyped ? ': RequestInit' : ''} = { credentials: ${quote(operation.credentials)} }`,
        )
      }
      if (operation.headers.length > 0) {
        const headers = attempt(operation.key, () => operation.headers.map((entry) => this.#header(entry)))
        const entries = headers.join(', ')
        const [override, type] = this.#isTyped ? ['override ', ': { [name: string]: string }'] : ['', '']
        lines.push(
          `  ${override}getHeaders(headers${type})${this.#isTyped ? ': HeadersInit' : ''} {\n    return { ...headers, ${entries} }\n  }`,
        )
      }
      if (this.#isTyped) {
        this.#core.add('type RestGenerics')
      }
      texts.push(
        this.#isTyped
          ? `class ${name}<O extends RestGenerics = any> extends RestEndpoint<O> {\n${lines.join('\n')}\n}\n`
          : `class ${name} extends RestEndpoint {\n${lines.join('\n')}\n}\n`,
      )
    }
    return texts
  }

  #header({ name, value }: Entry): string {
    const key = /^[A-Za-z]\w*$/.test(name!) ? name! : quote(name!)
    if (value.kind === 'choice') {
      return `...(${print(value.test, this.#printing)} ? { ${key}: ${print(value.yes, this.#printing)} } : {})`
    }
    return `${key}: ${print(value, this.#printing)}`
  }

  #headersKey(operation: Operation): string {
    if (operation.headers.length === 0 && !operation.credentials) {
      return ''
    }
    return `${operation.credentials ?? ''} ${operation.headers.map((entry) => `${entry.name}: ${print(entry.value, { file: undefined, use: (ref) => ref.name })}`).join(', ')}`
  }

  #classOf(operation: Operation): string | undefined {
    return this.#classNames.get(this.#headersKey(operation))
  }

  #resource({ name, path, entity, prefix, operations }: ResourcePlan): string {
    this.#core.add('resource')
    const all = [...operations.values()]
    const options = [`path: ${quote(path)}`, `schema: ${entity.name}`]
    const urlPrefix = this.#prefix(prefix)
    if (urlPrefix) {
      options.unshift(`urlPrefix: ${urlPrefix}`)
    }
    if (all.some((operation) => operation.isOptimistic)) {
      options.push('optimistic: true')
    }
    const list = operations.get('getList')
    if (list?.pages) {
      options.push(`paginationField: ${quote(list.pages.field)}`)
    }
    const className = this.#classOf(all[0]!)
    if (className) {
      options.push(`Endpoint: ${className}`)
    }
    const changes: string[] = []
    for (const [member, operation] of operations) {
      const own = this.#memberOptions(member, operation, entity)
      if (own.length > 0) {
        changes.push(`${member}: { ${own.join(', ')} }`)
      }
    }
    const extended = changes.length > 0 ? `.extend({\n  ${changes.join(',\n  ')},\n})` : ''
    return `export const ${name} = resource({\n  ${options.join(',\n  ')},\n})${extended}\n`
  }

  #memberOptions(member: string, operation: Operation, entity: EntityPlan): string[] {
    const options = [...operation.options].map(([name, value]) => `${name}: ${value}`)
    const envelope = member === 'getList' ? envelopeOf(this.#project, operation.shape) : undefined
    if (envelope) {
      options.push(`schema: ${this.#envelope(envelope, entity)}`)
    }
    if (operation.resultPath.length > 0) {
      const path = operation.resultPath.map((name) => `?.${name}`).join('')
      const any = this.#isTyped ? ': any' : ''
      options.push(`process: (value${any}) => value${path} ?? value`)
    }
    if (operation.pages?.next) {
      options.push(`getNextPage: ${operation.pages.next}`)
    }
    return options
  }

  #envelope({ member, others }: NonNullable<ReturnType<typeof envelopeOf>>, entity: EntityPlan): string {
    this.#core.add('Collection')
    const counts = others.filter(
      (field) =>
        /^(?:total|count|totalCount|total_count)$/.test(field.name) && field.type.node.type === 'TSNumberKeyword',
    )
    const more = counts.length > 0 ? `, { counts: [${counts.map((field) => quote(field.name)).join(', ')}] }` : ''
    const rest = others.map((field) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : quote(field.name)
      const [value, isExact] = field.isOptional ? ['undefined', false] : this.#defaultOf(field.type)
      const type = field.isOptional ? `${this.#type(field.type)} | undefined` : this.#type(field.type)
      return `${key}: ${isExact || !this.#isTyped ? value : `${value} as ${type}`}`
    })
    return `{ ${[`${member}: new Collection([${entity.name}]${more})`, ...rest].join(', ')} }`
  }

  #endpoint({ name, path, operation, entity }: EndpointPlan): string {
    const className = this.#classOf(operation) ?? 'RestEndpoint'
    this.#core.add('RestEndpoint')
    const options = [`path: ${quote(path)}`]
    const urlPrefix = this.#prefix(operation.prefix)
    if (urlPrefix) {
      options.unshift(`urlPrefix: ${urlPrefix}`)
    }
    if (operation.method !== 'GET') {
      options.push(`method: ${quote(operation.method)}`)
      if (!operation.hasBody) {
        options.push('body: undefined')
      }
    }
    const { shape } = operation
    const envelope = envelopeOf(this.#project, shape)
    if (entity) {
      if (envelope) {
        options.push(`schema: ${this.#envelope(envelope, entity)}`)
      } else if (shape.kind === 'list' && operation.method !== 'GET') {
        // The records that a request has changed are no list of their own.
        options.push(`schema: [${entity.name}]`)
      } else if (shape.kind === 'list') {
        this.#core.add('Collection')
        options.push(`schema: new Collection([${entity.name}])`)
      } else {
        options.push(`schema: ${entity.name}`)
      }
    }
    if (operation.hasSearch && this.#isTyped) {
      options.push('searchParams: {} as { [name: string]: any } | undefined')
    }
    if (operation.pages) {
      options.push(`paginationField: ${quote(operation.pages.field)}`)
      if (operation.pages.next) {
        options.push(`getNextPage: ${operation.pages.next}`)
      }
    }
    options.push(...[...operation.options].map(([key, value]) => `${key}: ${value}`))
    const member = operation.resultPath.slice(operation.typePath.length)
    if (operation.resultPath.length > 0 || (!entity && operation.type && this.#isTyped)) {
      const type = !this.#isTyped
        ? ''
        : operation.type && operation.typePath.length === 0
          ? `: ${this.#type(operation.type)}`
          : ': any'
      const result =
        operation.type && this.#isTyped && operation.typePath.length > 0 && member.length === 0
          ? ` as ${this.#type(operation.type)}`
          : ''
      options.push(
        `process: (value${type}) => value${operation.resultPath.map((part) => `.${part}`).join('')}${result}`,
      )
    }
    const comment = operation.isOptimistic
      ? `// The update was optimistic: say with getOptimisticResponse what the response will be. ${DOCS}/learn/5-optimistic.md\n`
      : ''
    return `${comment}export const ${name} = new ${className}({\n  ${options.join(',\n  ')},\n})\n`
  }

  #prefix(prefix: Operation['prefix']): string | undefined {
    if (!prefix) {
      return undefined
    }
    if (prefix.kind === 'literal' && prefix.ref) {
      return this.#use(prefix.ref)
    }
    const text = stringOf(prefix)
    return text === undefined ? print(prefix, this.#printing) : quote(text)
  }

  readonly #printing: Printing = { file: undefined, use: (ref) => this.#use(ref) }

  /** The local name of something that another module has. */
  #use(ref: Ref): string {
    const binding = ref.file.program.scope.getBinding(ref.name)
    const declared = binding && this.#project.declaredBy(ref.file, binding)
    if (binding && !declared) {
      const { from, name } = this.#project.importOf(ref.file, binding)!
      if (name === '*') {
        throw new Unconvertible(`"${ref.name}" is imported as a whole`)
      }
      const module = this.#project.resolve(ref.file, from)
      const specifier = module ? this.#project.specifier(this.#target, module.path) : from
      this.#imports.set(specifier, (this.#imports.get(specifier) ?? new Map()).set(name, ref.name))
      return ref.name
    }
    const target = declared ? { file: declared.file, name: declared.binding.identifier.name } : ref
    this.#exports.push(target)
    const from = this.#project.specifier(this.#target, target.file.path)
    this.#imports.set(from, (this.#imports.get(from) ?? new Map()).set(target.name, target.name))
    return target.name
  }
}

function attempt<T>(operation: string | undefined, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw error instanceof Unconvertible && operation !== undefined ? new Unwritable(operation, error.message) : error
  }
}

function ignoreCase(a: string, b: string): number {
  return a.replace('type ', '').toLowerCase() < b.replace('type ', '').toLowerCase() ? -1 : 1
}
