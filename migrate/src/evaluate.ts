import type * as t from '@babel/types'
import { brief, Unconvertible } from './errors.ts'
import { hinted, promised } from './hints.ts'
import { withInterceptors } from './interceptors.ts'
import type { Project, Ref, SourceFile } from './Project.ts'
import { clientOf, fromFetch, send } from './requests.ts'
import { bare, type Binding, type FunctionNode, isFunction, nameOf, type NodePath } from './syntax.ts'
import { type Entry, type Env, isMissing, literal, memberOf, print, stringOf, UNDEFINED, type Value } from './values.ts'

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'request'])

/** Evaluates code without running it: what a query function requests, what a key contains. */
export class Evaluator {
  readonly project: Project
  /** The place whose local names may be part of the result. */
  readonly site: NodePath
  readonly #depth: number
  /** Is called for each request that is sent, also where its response is not returned. */
  onSend: ((value: Value & { kind: 'response' | 'result' }) => void) | undefined
  /** Is called for a statement that cannot be read; without it, nothing around it can be converted. */
  onUnread: ((statement: t.Statement, reason: string) => void) | undefined

  constructor(project: Project, site: NodePath, depth = 0) {
    this.project = project
    this.site = site
    this.#depth = depth
  }

  value(node: t.Node, file: SourceFile, env: Env): Value {
    switch (node.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return literal(node.value)
      case 'NullLiteral':
        return literal(null)
      case 'TSAsExpression':
      case 'TSSatisfiesExpression': {
        const inner = this.value(node.expression, file, env)
        // The type that the app gives a value which it has read, such as `target.value as Status`, is needed at the call.
        return inner.kind === 'code' && inner.file === file && file === this.file && !inner.cast
          ? { ...inner, cast: file.code(node).slice(node.expression.end! - node.start!) }
          : hinted(inner, { node: node.typeAnnotation, file })
      }
      case 'TSNonNullExpression': {
        const inner = this.value(node.expression, file, env)
        return inner.kind === 'code' && !inner.cast ? { ...inner, text: `${inner.text}!` } : inner
      }
      case 'ParenthesizedExpression':
      case 'TSInstantiationExpression':
        return this.value(node.expression, file, env)
      case 'AwaitExpression':
        return this.value(node.argument, file, env)
      case 'UnaryExpression':
        return node.operator === 'void' ? UNDEFINED : this.code(node, file, env)
      case 'TemplateLiteral':
        return {
          kind: 'text',
          parts: node.quasis.flatMap((quasi, index) => {
            const hole = node.expressions[index]
            return [literal(quasi.value.cooked ?? ''), ...(hole ? [this.value(hole, file, env)] : [])]
          }),
        }
      case 'BinaryExpression':
        if (node.operator === '+') {
          const [left, right] = [this.value(node.left, file, env), this.value(node.right, file, env)]
          const isText = (value: Value): boolean => value.kind === 'text' || typeof stringOf(value) === 'string'
          if (isText(left) || isText(right)) {
            return { kind: 'text', parts: [left, right] }
          }
        }
        return this.#comparison(node, file, env)
      case 'LogicalExpression':
        return this.#logical(node, file, env)
      case 'ConditionalExpression': {
        const test = this.value(node.test, file, env)
        const known = truth(test)
        if (known !== undefined) {
          return this.value(known ? node.consequent : node.alternate, file, env)
        }
        return {
          kind: 'choice',
          test,
          yes: this.value(node.consequent, file, env),
          no: this.value(node.alternate, file, env),
        }
      }
      case 'ObjectExpression': {
        const entries: Entry[] = []
        for (const property of node.properties) {
          if (property.type === 'SpreadElement') {
            const spread = this.value(property.argument, file, env)
            if (spread.kind === 'object') {
              entries.push(...spread.entries)
            } else if (!isMissing(spread)) {
              entries.push({ name: undefined, value: spread })
            }
            continue
          }
          const name = nameOf(property.key, property.computed)
          if (name === undefined) {
            return this.code(node, file, env)
          }
          const value =
            property.type === 'ObjectMethod'
              ? this.#closure(property, file, env, name)
              : this.value(property.value, file, env)
          entries.push({ name, value })
        }
        return { kind: 'object', entries, node }
      }
      case 'ArrayExpression':
        return this.#array(node, file, env)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.#closure(node, file, env, undefined)
      case 'Identifier':
        return this.#identifier(node, file, env)
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#member(node, file, env)
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#call(node, file, env)
      case 'NewExpression':
        return this.#create(node, file, env)
      default:
        return this.code(node, file, env)
    }
  }

  /** Calls a function with values. */
  call(fn: Value, args: readonly Value[], fallbackName?: string): Value {
    if (fn.kind !== 'function') {
      throw new Unconvertible('the function that sends the request is not in these files')
    }
    if (this.#depth > 12) {
      throw new Unconvertible('the functions that send the request call each other')
    }
    const env = new Map(fn.env)
    const inner = new Evaluator(this.project, this.site, this.#depth + 1)
    inner.onSend = this.onSend
    // The functions that it calls are read as a whole, or not.
    inner.onUnread = this.#isOutermost ? this.onUnread : undefined
    inner.#isOutermost = false
    const path = fn.file.pathOf(fn.node)
    fn.node.params.forEach((param, index) => {
      if (param.type === 'RestElement') {
        inner.#bind(param.argument, { kind: 'array', items: args.slice(index) }, fn.file, env, path)
      } else {
        inner.#bind(param, args[index] ?? UNDEFINED, fn.file, env, path)
      }
    })
    const { body } = fn.node
    const result =
      body.type === 'BlockStatement' ? inner.#block(body.body, fn.file, env) : inner.value(body, fn.file, env)
    const type = fn.node.type === 'ObjectMethod' ? undefined : promised(fn.node.returnType, fn.file)
    const value = type ? hinted(result ?? UNDEFINED, type) : (result ?? UNDEFINED)
    const name = fn.name ?? fallbackName
    // The outermost function has the name that says what the request is for.
    if (name !== undefined && (value.kind === 'result' || value.kind === 'response')) {
      return { ...value, request: { ...value.request, name } }
    }
    return value
  }

  /** An expression with the values of parameters in it. */
  code(node: t.Node, file: SourceFile, env: Env): Value {
    const names = new Set<string>()
    const edits: { start: number; end: number; text: string }[] = []
    let isLocal = false
    const visit = (path: NodePath): void => {
      if (path.isIdentifier() && path.isReferencedIdentifier()) {
        const binding = path.scope.getBinding(path.node.name)
        if (!binding || isInside(binding.path.node, node)) {
          return
        }
        const known = env.get(binding)
        if (known) {
          const text = print(known, { file: this.file })
          isLocal = true
          const isShort = path.parent.type === 'ObjectProperty' && path.parent.shorthand
          edits.push({
            start: path.node.start!,
            end: path.node.end!,
            text: isShort ? `${path.node.name}: ${text}` : /^[\w$.]+$/.test(text) ? text : `(${text})`,
          })
        } else if (binding.scope.path.isProgram()) {
          names.add(path.node.name)
        } else if (this.isVisible(binding, file)) {
          isLocal = true
        } else {
          throw new Unconvertible(`"${path.node.name}" is not known where the request is started`)
        }
      }
    }
    const path = file.pathOf(node)
    visit(path)
    path.traverse({ enter: visit })
    let text = file.code(node)
    for (const edit of edits.sort((a, b) => b.start - a.start)) {
      text = text.slice(0, edit.start - node.start!) + edit.text + text.slice(edit.end - node.start!)
    }
    if (edits.length > 0 && names.size > 0 && file !== this.file) {
      throw new Unconvertible(`"${brief(file.code(node))}" needs names of another module`)
    }
    // With all parameters replaced, the code belongs to the place where the request is started.
    const home = edits.length > 0 ? this.file : names.size === 0 && !isLocal ? undefined : file
    return { kind: 'code', text, file: home, names: [...names], isLocal, node }
  }

  get file(): SourceFile {
    return this.project.fileOf(this.site)
  }

  isVisible(binding: Binding, file: SourceFile): boolean {
    return file === this.file && (binding.scope.path === this.site || this.site.isDescendant(binding.scope.path))
  }

  #closure(node: FunctionNode, file: SourceFile, env: Env, name: string | undefined): Value {
    return { kind: 'function', node, file, env, name }
  }

  #identifier(node: t.Identifier, file: SourceFile, env: Env): Value {
    if (node.name === 'undefined') {
      return UNDEFINED
    }
    const binding = file.pathOf(node).scope.getBinding(node.name)
    if (!binding) {
      return { kind: 'code', text: node.name, file: undefined, names: [], isLocal: false }
    }
    const known = env.get(binding)
    if (known) {
      return known
    }
    if (!binding.scope.path.isProgram()) {
      const declarator = binding.path.node
      if (!this.isVisible(binding, file)) {
        throw new Unconvertible(`"${node.name}" is not known where the request is started`)
      }
      if (binding.constant && declarator.type === 'VariableDeclarator' && declarator.id.type === 'Identifier') {
        const init = bare(declarator.init)
        if (init && (isFunction(init) || init.type === 'ArrayExpression' || init.type === 'TemplateLiteral')) {
          return this.value(init, file, env)
        }
      }
      if (declarator.type === 'FunctionDeclaration') {
        return this.#closure(declarator, file, env, node.name)
      }
      const key = binding.constant ? this.#takenKey(declarator, node.name, file, env) : undefined
      return key ?? { kind: 'code', text: node.name, file, names: [], isLocal: true, node }
    }
    const declared = this.project.declaredBy(file, binding)
    if (!declared) {
      const { from, name } = this.project.importOf(file, binding)!
      const unnamed = name === 'default' ? this.project.unnamedDefault(file, from) : undefined
      return unnamed
        ? { kind: 'function', ...unnamed, env: new Map(), name: undefined }
        : { kind: 'external', from, name }
    }
    const ref: Ref = { file: declared.file, name: declared.binding.identifier.name }
    const found = declared.binding.path.node
    if (found.type === 'FunctionDeclaration') {
      return { kind: 'function', node: found, file: declared.file, env: new Map(), name: ref.name, ref }
    }
    const init = found.type === 'VariableDeclarator' && found.id.type === 'Identifier' ? found.init : undefined
    if (init && declared.binding.constant && this.#depth < 12) {
      const value = this.#constant(init, declared.file)
      if (value?.kind === 'literal') {
        return { ...value, ref }
      }
      if (value?.kind === 'function') {
        return { ...value, name: ref.name, ref }
      }
      if (value?.kind === 'client') {
        const evaluatorAt = (site: NodePath) => new Evaluator(this.project, site, this.#depth + 1)
        return withInterceptors(this.project, value, declared, evaluatorAt)
      }
      if (value && value.kind !== 'code' && value.kind !== 'choice' && !this.#isChanged(value, declared)) {
        return value
      }
    }
    return { kind: 'code', text: ref.name, file: ref.file, names: [ref.name], isLocal: false, ref }
  }

  /** `const { queryKey } = getTodoOptions(id)`: the key. */
  #takenKey(declarator: t.Node, name: string, file: SourceFile, env: Env): Value | undefined {
    if (declarator.type !== 'VariableDeclarator' || declarator.id.type !== 'ObjectPattern') {
      return undefined
    }
    const taken = declarator.id.properties.find(
      (one) => one.type === 'ObjectProperty' && one.value.type === 'Identifier' && one.value.name === name,
    )
    const member = taken?.type === 'ObjectProperty' ? nameOf(taken.key, taken.computed) : undefined
    const init = bare(declarator.init)
    if (member !== 'queryKey' || init?.type !== 'CallExpression') {
      return undefined
    }
    const value = this.#constant(init, file, env)
    const key = value && memberOf(value, member)
    return key?.kind === 'array' ? key : undefined
  }

  /** `session.token = token`: the members of the object are not those that it begins with. */
  #isChanged(value: Value, declared: { file: SourceFile; binding: Binding }): boolean {
    const isTarget = ({ parentPath: member }: NodePath): boolean =>
      member?.parent.type === 'AssignmentExpression' && member.parent.left === member.node
    return value.kind === 'object' && this.project.referencesOf(declared).some(({ path }) => isTarget(path))
  }

  /** The value of a constant of a module, unless only running its code can tell: `export const env = readEnv()`. */
  #constant(init: t.Node, file: SourceFile, env: Env = new Map()): Value | undefined {
    try {
      return new Evaluator(this.project, this.site, this.#depth + 1).value(init, file, env)
    } catch (error) {
      if (error instanceof Unconvertible) {
        return undefined
      }
      throw error
    }
  }

  /** `body === undefined`, where the body is known. */
  #comparison(node: t.BinaryExpression, file: SourceFile, env: Env): Value {
    if (/^[!=]==?$/.test(node.operator)) {
      const [left, right] = [this.value(node.left, file, env), this.value(node.right, file, env)]
      const isNothing = right.kind === 'literal' && right.value == null
      const isSame =
        left.kind === 'literal' && right.kind === 'literal'
          ? left.value === right.value || (node.operator.length === 2 && left.value == null && right.value == null)
          : isNothing && truth(left) === true
            ? false
            : undefined
      if (isSame !== undefined) {
        return literal(isSame === node.operator.startsWith('='))
      }
    }
    return this.code(node, file, env)
  }

  #logical(node: t.LogicalExpression, file: SourceFile, env: Env): Value {
    const left = this.value(node.left, file, env)
    const known = truth(left)
    if (node.operator === '??') {
      const right = this.value(node.right, file, env)
      if (right.kind === 'external' && left.kind === 'code') {
        return { kind: 'choice', test: { ...left, text: `${left.text} != null` }, yes: left, no: right }
      }
      return left.kind === 'literal' && left.value != null
        ? left
        : isMissing(left)
          ? this.value(node.right, file, env)
          : this.code(node, file, env)
    }
    if (known !== undefined) {
      return known === (node.operator === '&&') ? this.value(node.right, file, env) : left
    }
    if (node.operator === '||') {
      return this.code(node, file, env)
    }
    const right = this.value(node.right, file, env)
    return right.kind === 'json' || right.kind === 'object' || right.kind === 'text'
      ? { kind: 'choice', test: left, yes: right, no: UNDEFINED }
      : this.code(node, file, env)
  }

  #member(node: t.MemberExpression | t.OptionalMemberExpression, file: SourceFile, env: Env): Value {
    if (file.code(node).startsWith('import.meta') || file.code(node).startsWith('process.env')) {
      return { kind: 'code', text: file.code(node), file: undefined, names: [], isLocal: false }
    }
    const name = node.computed
      ? node.property.type === 'NumericLiteral' || node.property.type === 'StringLiteral'
        ? String(node.property.value)
        : undefined
      : nameOf(node.property)
    if (name === undefined) {
      return this.code(node, file, env)
    }
    const of = this.value(node.object, file, env)
    if (of.kind === 'code') {
      return node.computed || node.optional ? this.code(node, file, env) : memberOf(of, name)
    }
    return memberOf(of, name)
  }

  #array(node: t.ArrayExpression, file: SourceFile, env: Env): Value {
    const items: Value[] = []
    for (const item of node.elements) {
      if (item?.type !== 'SpreadElement') {
        items.push(item ? this.value(item, file, env) : UNDEFINED)
        continue
      }
      const spread = this.value(item.argument, file, env)
      // How many items it has is not known, so the whole array stays as it is written.
      if (spread.kind !== 'array') {
        return this.code(node, file, env)
      }
      items.push(...spread.items)
    }
    return { kind: 'array', items }
  }

  #call(node: t.CallExpression | t.OptionalCallExpression, file: SourceFile, env: Env): Value {
    const args = (): Value[] =>
      node.arguments.map((arg) =>
        arg.type === 'SpreadElement' || arg.type === 'ArgumentPlaceholder'
          ? this.code(node, file, env)
          : this.value(arg, file, env),
      )
    const typed = (value: Value): Value => {
      const [type] = node.typeParameters?.type === 'TSTypeParameterInstantiation' ? node.typeParameters.params : []
      return type ? hinted(value, { node: type, file }, true) : value
    }
    const callee = bare(node.callee)
    if (callee?.type === 'Identifier' && !file.pathOf(callee).scope.getBinding(callee.name)) {
      switch (callee.name) {
        case 'fetch':
          return this.#sent({ kind: 'response', library: 'fetch', request: fromFetch(args()) })
        case 'String':
        case 'encodeURIComponent':
          return args()[0] ?? UNDEFINED
        case 'Boolean':
        case 'Number':
          return this.code(node, file, env)
      }
    }
    if (callee && (callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression')) {
      const name = nameOf(callee.property, callee.computed)
      if (file.code(callee) === 'JSON.stringify') {
        return { kind: 'json', of: args()[0] ?? UNDEFINED }
      }
      if (name !== undefined) {
        const of = this.value(callee.object, file, env)
        const found = this.#method(of, name, args, node)
        if (found) {
          return typed(found)
        }
        if (of.kind === 'code') {
          return this.code(node, file, env)
        }
      }
    }
    const fn = this.value(node.callee, file, env)
    if (fn.kind === 'external') {
      if (fn.from === 'ky' || (fn.from === 'axios' && fn.name === 'default')) {
        return typed(this.#sent(send(clientOf(fn)!, undefined, args())))
      }
      if (/query|swr|rtk|redux/.test(fn.from) && /^(?:query|infiniteQuery|mutation)Options$/.test(fn.name)) {
        return args()[0] ?? UNDEFINED
      }
    }
    if (fn.kind === 'client') {
      return typed(this.#sent(send(fn, undefined, args())))
    }
    if (fn.kind === 'function') {
      // Without a request in it, code that the app can evaluate itself is left to the app.
      const result = this.call(fn, args())
      return typed(result.kind === 'code' && fn.ref ? this.code(node, file, env) : result)
    }
    return this.code(node, file, env)
  }

  #method(of: Value, name: string, args: () => Value[], node: t.Node): Value | undefined {
    switch (of.kind) {
      case 'external': {
        const client = clientOf(of)
        if (client && (name === 'create' || name === 'extend')) {
          const [options] = args()
          return { ...client, options: options?.kind === 'object' ? options.entries : [] }
        }
        return client && METHODS.has(name) ? this.#sent(send(client, name, args())) : undefined
      }
      case 'client':
        if (name === 'extend' || name === 'create') {
          const [options] = args()
          return { ...of, options: [...of.options, ...(options?.kind === 'object' ? options.entries : [])] }
        }
        return METHODS.has(name) ? this.#sent(send(of, name, args())) : undefined
      case 'response':
        if (name === 'then') {
          return this.call(args()[0] ?? UNDEFINED, [of])
        }
        if (name === 'json') {
          return { kind: 'result', request: of.request, path: [] }
        }
        if (name === 'text' || name === 'blob' || name === 'arrayBuffer' || name === 'catch' || name === 'finally') {
          throw new Unconvertible(`it calls ${name}() of the response`)
        }
        return undefined
      case 'result':
        if (name === 'then') {
          return this.call(args()[0] ?? UNDEFINED, [of])
        }
        throw new Unconvertible(`it computes something from the response (${name})`)
      case 'query': {
        if (name === 'set' || name === 'append') {
          const [key, value] = args()
          const text = stringOf(key)
          if (text === undefined || !value) {
            throw new Unconvertible('it builds a query with names that are not known')
          }
          of.entries.push({
            name: text,
            value: this.#condition ? { kind: 'choice', test: this.#condition, yes: value, no: UNDEFINED } : value,
          })
          return UNDEFINED
        }
        return name === 'toString' ? of : undefined
      }
      case 'url':
        return name === 'toString' ? of : undefined
      case 'object':
        if (name === 'set' && of.entries) {
          const [key, value] = args()
          this.#assign(of, stringOf(key), value ?? UNDEFINED)
          return UNDEFINED
        }
        return undefined
      default:
        return name === 'toString' && node ? of : undefined
    }
  }

  #sent(value: Value): Value {
    if (value.kind === 'response' || value.kind === 'result') {
      this.onSend?.(value)
    }
    return value
  }

  #create(node: t.NewExpression, file: SourceFile, env: Env): Value {
    const name = node.callee.type === 'Identifier' ? node.callee.name : undefined
    const args = node.arguments.map((arg) => this.value(arg, file, env))
    if (name === 'URLSearchParams') {
      const [init] = args
      if (isMissing(init)) {
        return { kind: 'query', entries: [] }
      }
      if (init?.kind === 'object') {
        return { kind: 'query', entries: [...init.entries] }
      }
      if (init?.kind === 'code') {
        return { kind: 'query', entries: [{ name: undefined, value: init }] }
      }
    }
    if (name === 'Headers') {
      return args[0]?.kind === 'object'
        ? { kind: 'object', entries: [...args[0].entries] }
        : { kind: 'object', entries: [] }
    }
    if (name === 'URL' && args[0]) {
      const url: Value = args[1] ? { kind: 'text', parts: [args[1], args[0]] } : args[0]
      return { kind: 'url', url, query: { kind: 'query', entries: [] } }
    }
    return this.code(node, file, env)
  }

  #condition: Value | undefined
  #isOutermost = true

  #block(statements: readonly t.Statement[], file: SourceFile, env: Map<Binding, Value>): Value | undefined {
    for (const statement of statements) {
      const result = this.#tryStatement(statement, file, env)
      if (result) {
        return result
      }
    }
    return undefined
  }

  #tryStatement(statement: t.Statement, file: SourceFile, env: Map<Binding, Value>): Value | undefined {
    try {
      return this.#statement(statement, file, env)
    } catch (error) {
      if (!this.onUnread || !(error instanceof Unconvertible) || statement.type === 'ReturnStatement') {
        throw error
      }
      this.#condition = undefined
      this.onUnread(statement, error.message)
      return undefined
    }
  }

  #statement(statement: t.Statement, file: SourceFile, env: Map<Binding, Value>): Value | undefined {
    switch (statement.type) {
      case 'ReturnStatement':
        return statement.argument ? this.value(statement.argument, file, env) : UNDEFINED
      case 'VariableDeclaration':
        for (const { id, init } of statement.declarations) {
          this.#bind(id, init ? this.value(init, file, env) : UNDEFINED, file, env, file.pathOf(statement))
        }
        return undefined
      case 'ExpressionStatement': {
        const expression = bare(statement.expression)
        if (expression.type === 'AssignmentExpression') {
          const target = bare(expression.left)
          if (target.type === 'MemberExpression' && expression.operator === '=') {
            const of = this.value(target.object, file, env)
            if (of.kind === 'object') {
              const name = target.computed ? stringOf(this.value(target.property, file, env)) : nameOf(target.property)
              this.#assign(of, name, this.value(expression.right, file, env))
              return undefined
            }
          }
        } else if (expression.type === 'CallExpression' || expression.type === 'AwaitExpression') {
          const value = this.value(expression, file, env)
          if (value.kind === 'response' || value.kind === 'result') {
            // A function that ends here resolves to nothing.
            return undefined
          }
          if (isMissing(value)) {
            return undefined
          }
        }
        throw new Unconvertible(`it does more than send a request: ${brief(file.code(statement))}`)
      }
      case 'IfStatement': {
        const consequent =
          statement.consequent.type === 'BlockStatement' ? statement.consequent.body : [statement.consequent]
        const last = consequent.at(-1)
        const test = file.code(statement.test)
        if (last?.type === 'ThrowStatement' && !statement.alternate) {
          return undefined
        }
        if (last?.type === 'ReturnStatement' && !statement.alternate && /\.status\b|\.ok\b|content-length/.test(test)) {
          return undefined
        }
        const value = this.value(statement.test, file, env)
        const known = truth(value)
        if (known !== undefined) {
          const branch = known ? statement.consequent : statement.alternate
          return branch ? this.#block(branch.type === 'BlockStatement' ? branch.body : [branch], file, env) : undefined
        }
        if (!statement.alternate && consequent.every((node) => node.type === 'ExpressionStatement')) {
          this.#condition = value
          this.#block(consequent, file, env)
          this.#condition = undefined
          return undefined
        }
        throw new Unconvertible(`it depends on "${test.slice(0, 40)}"`)
      }
      case 'TryStatement':
        return this.#block(statement.block.body, file, env)
      case 'BlockStatement':
        return this.#block(statement.body, file, env)
      case 'EmptyStatement':
      case 'FunctionDeclaration':
      case 'ThrowStatement':
        return undefined
      default:
        throw new Unconvertible(`it does more than send a request: ${brief(file.code(statement))}`)
    }
  }

  #assign(of: Value & { kind: 'object' }, name: string | undefined, value: Value): void {
    if (name === undefined) {
      throw new Unconvertible('it sets a member whose name is not known')
    }
    of.entries.push({
      name,
      value: this.#condition ? { kind: 'choice', test: this.#condition, yes: value, no: UNDEFINED } : value,
    })
  }

  #bind(pattern: t.Node, value: Value, file: SourceFile, env: Map<Binding, Value>, path: NodePath): void {
    switch (pattern.type) {
      case 'Identifier': {
        const scope = path.isFunction() ? path.scope : file.pathOf(pattern).scope
        const binding = scope.getBinding(pattern.name)
        if (binding) {
          const hint =
            pattern.typeAnnotation?.type === 'TSTypeAnnotation' ? pattern.typeAnnotation.typeAnnotation : undefined
          // A local name for code keeps the code.
          env.set(binding, hint ? hinted(value, { node: hint, file }) : value)
        }
        return
      }
      case 'AssignmentPattern':
        this.#bind(pattern.left, isMissing(value) ? this.value(pattern.right, file, env) : value, file, env, path)
        return
      case 'ObjectPattern': {
        const taken: string[] = []
        for (const property of pattern.properties) {
          if (property.type === 'RestElement') {
            const rest: Value =
              value.kind === 'object'
                ? { kind: 'object', entries: value.entries.filter((entry) => !taken.includes(entry.name ?? '')) }
                : { kind: 'rest', of: value, without: taken }
            this.#bind(property.argument, rest, file, env, path)
          } else {
            const name = nameOf(property.key, property.computed)
            if (name === undefined) {
              throw new Unconvertible('it takes a member whose name is not known')
            }
            taken.push(name)
            this.#bind(property.value, memberOf(value, name), file, env, path)
          }
        }
        return
      }
      case 'ArrayPattern':
        pattern.elements.forEach((element, index) => {
          if (element && element.type !== 'RestElement') {
            this.#bind(element, memberOf(value, String(index)), file, env, path)
          }
        })
        return
      default:
        throw new Unconvertible('it has a parameter of a kind that is not known')
    }
  }
}

function isInside(node: t.Node, outer: t.Node): boolean {
  return node.start! >= outer.start! && node.end! <= outer.end!
}

/** Whether a value is certainly true or false. */
function truth(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'literal':
      return Boolean(value.value)
    case 'object':
    case 'array':
    case 'function':
    case 'response':
    case 'query':
    case 'result':
      return true
    default:
      return undefined
  }
}
