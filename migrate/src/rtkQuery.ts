import type * as t from '@babel/types'
import type { Use } from './Api.ts'
import { Unconvertible } from './errors.ts'
import { Evaluator } from './evaluate.ts'
import { noteDropped } from './noteDropped.ts'
import type { Pass } from './Pass.ts'
import type { Declared, SourceFile } from './Project.ts'
import { provide } from './provide.ts'
import { type Read, setConstant, writeRead } from './read.ts'
import { type Member, readResult, type Site, takenBy } from './result.ts'
import { addController } from './addController.ts'
import { bare, isFunction, nameOf, type NodePath } from './syntax.ts'
import { type Entry, entryOf, isMissing, literal, type RequestRead, stringOf, UNDEFINED, type Value } from './values.ts'

const DROPPED = /^(?:skipPollingIfUnfocused|refetchOn\w+)$/
export const RTK_QUERY = /^@reduxjs\/toolkit\/query(?:\/react)?$/

/** One endpoint of createApi. */
interface Definition {
  readonly name: string
  readonly kind: 'query' | 'mutation' | 'infiniteQuery'
  readonly file: SourceFile
  readonly node: t.CallExpression
  readonly options: Value
  readonly base: BaseQuery
  readonly type: t.TSType | undefined
  readonly tags: readonly string[]
}

interface BaseQuery {
  readonly url: Value
  readonly headers: readonly Entry[]
  readonly credentials: string | undefined
}

interface HookCall {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  readonly hook: string
  readonly definition: Definition
}

interface RtkRead extends Read {
  readonly definition: Definition
}

interface RtkMutation extends HookCall {
  readonly operation: string
  readonly sites: readonly Site[]
}

export function convertRtkQuery(pass: Pass): void {
  const definitions = findDefinitions(pass)
  const calls = findHooks(pass, definitions)
  const reads: RtkRead[] = []
  const mutations: RtkMutation[] = []
  for (const call of calls) {
    if (/^use\w+Query$/.test(call.hook) && !call.hook.startsWith('useLazy') && call.definition.kind === 'query') {
      const read = pass.attempt(call.file, call.path.node, () => readRead(pass, call))
      if (read) {
        reads.push(read)
      }
    } else if (/^use\w+Mutation$/.test(call.hook) && call.definition.kind === 'mutation') {
      const mutation = pass.attempt(call.file, call.path.node, () => readMutation(pass, call))
      if (mutation) {
        mutations.push(mutation)
      }
    } else {
      pass.exclude(call.file, call.path.node, 'it is converted by hand: see docs/guide/from-rtk-query.md')
    }
  }
  checkTags(pass, calls, reads, mutations)
  if (pass.hasChanged) {
    return
  }
  pass.api.plan(new Set([...reads.map(({ use }) => use.operation), ...mutations.map(({ operation }) => operation)]))
  reads.forEach((read) => pass.attempt(read.file, read.path.node, () => writeRead(pass, read)))
  mutations.forEach((mutation) =>
    pass.attempt(mutation.file, mutation.path.node, () => writeMutation(pass, mutation, reads)),
  )
  // Redux stays for the other state of the app.
  provide(
    pass,
    (from, name) => (from === 'react-redux' && name === 'Provider') || (RTK_QUERY.test(from) && name === 'ApiProvider'),
    true,
  )
  const [first] = definitions
  if (
    first &&
    reads.length + mutations.length > 0 &&
    calls.every(({ file, path }) => !pass.isExcluded(file, path.node))
  ) {
    pass.note(
      'decide',
      first.file,
      first.node,
      'createApi',
      'no hook uses it now: remove it, its reducer and its middleware from the store',
    )
  }
}

function findDefinitions(pass: Pass): Definition[] {
  return pass.callsOf().flatMap(({ file, path, name }): Definition[] => {
    if (name !== 'createApi') {
      return []
    }
    return (
      pass.attempt(file, path.node, () => {
        const evaluator = new Evaluator(pass.project, path)
        const [node] = path.node.arguments
        if (node?.type !== 'ObjectExpression') {
          throw new Unconvertible('its options are not written at the call')
        }
        const property = (wanted: string): t.Node | undefined => {
          const found = node.properties.find((one) => one.type !== 'SpreadElement' && nameOf(one.key) === wanted)
          return found?.type === 'ObjectProperty' ? (bare(found.value) ?? undefined) : found
        }
        const base = readBase(pass, evaluator, file, property('baseQuery'))
        const endpoints = property('endpoints')
        const body = isFunction(endpoints)
          ? bare(endpoints.body.type === 'BlockStatement' ? returned(endpoints.body) : endpoints.body)
          : undefined
        if (body?.type !== 'ObjectExpression') {
          throw new Unconvertible('its endpoints are not written at the call')
        }
        return body.properties.flatMap((one): Definition[] => {
          const call = one.type === 'ObjectProperty' ? bare(one.value) : undefined
          if (
            one.type !== 'ObjectProperty' ||
            call?.type !== 'CallExpression' ||
            call.callee.type !== 'MemberExpression'
          ) {
            return []
          }
          const kind = nameOf(call.callee.property)
          const [argument] = call.arguments
          const endpointName = nameOf(one.key)
          if (
            !argument ||
            endpointName === undefined ||
            (kind !== 'query' && kind !== 'mutation' && kind !== 'infiniteQuery')
          ) {
            return []
          }
          const [type] =
            (call as { typeParameters?: t.TSTypeParameterInstantiation | null }).typeParameters?.params ?? []
          const tags = argument.type === 'ObjectExpression' ? tagsOf(file, argument) : []
          const options: Value = argument.type === 'ObjectExpression' ? optionsOf(file, argument) : UNDEFINED
          return [{ name: endpointName, kind, file, node: call, options, base, type, tags }]
        })
      }) ?? []
    )
  })
}

function returned(block: t.BlockStatement): t.Node | null | undefined {
  const last = block.body.at(-1)
  return last?.type === 'ReturnStatement' ? last.argument : undefined
}

/** The options, each unread: only `query` and its like are evaluated. */
function optionsOf(file: SourceFile, node: t.ObjectExpression): Value {
  return {
    kind: 'object',
    entries: node.properties.flatMap((property): Entry[] => {
      if (property.type === 'SpreadElement') {
        return [{ name: '...', value: UNDEFINED }]
      }
      const name = nameOf(property.key)
      const fn = property.type === 'ObjectMethod' ? property : bare(property.value)
      return [
        {
          name,
          value: isFunction(fn) ? { kind: 'function', node: fn, file, env: new Map(), name: undefined } : literal(true),
        },
      ]
    }),
  }
}

/** The types of tags that an endpoint provides or invalidates, as far as its code names them. */
function tagsOf(file: SourceFile, node: t.ObjectExpression): string[] {
  const tags = new Set<string>()
  for (const property of node.properties) {
    if (property.type === 'SpreadElement' || !/^(?:provides|invalidates)Tags$/.test(nameOf(property.key) ?? '')) {
      continue
    }
    const names = new Set<string>()
    const visit = (path: NodePath): void => {
      const { node: one, parent } = path
      if (
        one.type === 'StringLiteral' &&
        (parent.type === 'ArrayExpression' || (parent.type === 'ObjectProperty' && nameOf(parent.key) === 'type'))
      ) {
        names.add(one.value)
      } else if (one.type === 'Identifier' && path.isReferencedIdentifier()) {
        const init = path.scope.getBinding(one.name)?.path.node
        if (init?.type === 'VariableDeclarator' && init.init) {
          file.pathOf(init).traverse({
            StringLiteral: (inner) =>
              void (
                inner.parent.type === 'ObjectProperty' &&
                nameOf(inner.parent.key) === 'type' &&
                names.add(inner.node.value)
              ),
          })
        }
      }
    }
    file.pathOf(property).traverse({ enter: visit })
    names.forEach((name) => tags.add(name))
  }
  return [...tags]
}

function readBase(pass: Pass, evaluator: Evaluator, file: SourceFile, node: t.Node | undefined): BaseQuery {
  let call = node
  if (call?.type === 'Identifier') {
    const binding = file.program.scope.getBinding(call.name)
    const declared = binding && pass.project.declaredBy(file, binding)
    const found = declared?.binding.path.node
    if (found?.type === 'VariableDeclarator' && declared?.file === file) {
      call = bare(found.init) ?? undefined
    }
  }
  const [options] = call?.type === 'CallExpression' ? call.arguments : []
  const binding =
    call?.type === 'CallExpression' && call.callee.type === 'Identifier'
      ? file.program.scope.getBinding(call.callee.name)
      : undefined
  if (!binding || pass.project.importOf(file, binding)?.name !== 'fetchBaseQuery') {
    throw new Unconvertible('its baseQuery is not fetchBaseQuery: write a class for your API')
  }
  const value = options ? evaluator.value(options, file, new Map()) : UNDEFINED
  const prepare = entryOf(value, 'prepareHeaders')
  const headers: Value & { kind: 'object' } = { kind: 'object', entries: [] }
  if (prepare) {
    const state: Value = { kind: 'external', from: 'store', name: 'getState' }
    evaluator.call(prepare, [headers, { kind: 'object', entries: [{ name: 'getState', value: state }] }])
    if (
      JSON.stringify(headers, (key, one) => (key === 'file' || key === 'node' ? undefined : one)).includes('getState')
    ) {
      throw new Unconvertible('prepareHeaders reads the Redux store: write a class for your API')
    }
  }
  return {
    url: entryOf(value, 'baseUrl') ?? literal(''),
    headers: headers.entries.filter(({ name }) => !/^(?:content-type|accept)$/i.test(name ?? '')),
    credentials: stringOf(entryOf(value, 'credentials')),
  }
}

/** Calls of the hooks that createApi generates. */
function findHooks(pass: Pass, definitions: readonly Definition[]): HookCall[] {
  const { project } = pass
  const found: HookCall[] = []
  const definitionOf = (hook: string): Definition | undefined => {
    const base = /^use(?:Lazy)?(\w+?)(?:Query|Mutation|InfiniteQuery)(?:State|Subscription)?$/.exec(hook)?.[1]
    return definitions.find(({ name }) => base !== undefined && name[0]!.toUpperCase() + name.slice(1) === base)
  }
  const add = (file: SourceFile, reference: NodePath, hook: string): void => {
    const call = reference.parentPath
    const definition = definitionOf(hook)
    if (definition && call?.isCallExpression() && call.node.callee === reference.node) {
      found.push({ file, path: call, hook, definition })
    }
  }
  for (const file of project.files.values()) {
    for (const binding of Object.values(file.program.scope.bindings)) {
      const { node } = binding.path
      // export const { useGetTodosQuery } = api
      if (
        node.type === 'VariableDeclarator' &&
        node.id.type === 'ObjectPattern' &&
        /^use\w+(?:Query|Mutation)/.test(binding.identifier.name)
      ) {
        const declared: Declared = { file, binding }
        for (const use of referencesOf(pass, declared)) {
          add(use.file, use.path, binding.identifier.name)
        }
      }
      // api.useGetTodosQuery()
      if (
        node.type === 'VariableDeclarator' &&
        node.init &&
        definitions.some((one) => one.file === file && isWithin(one.node, node.init!))
      ) {
        for (const use of project.referencesOf({ file, binding })) {
          const member = use.path.parentPath
          const hook =
            member?.isMemberExpression() && member.node.object === use.path.node
              ? nameOf(member.node.property)
              : undefined
          if (hook !== undefined && member) {
            add(use.file, member, hook)
          }
        }
      }
    }
  }
  return found
}

// The names of a destructured export are found by name, since no declaration has them as its own.
function referencesOf(pass: Pass, { file, binding }: Declared): { file: SourceFile; path: NodePath }[] {
  const own = binding.referencePaths.filter((path) => path.isIdentifier()).map((path) => ({ file, path }))
  const others = [...pass.project.files.values()].flatMap((other) =>
    Object.values(other.program.scope.bindings).flatMap((one) => {
      const imported = pass.project.importOf(other, one)
      const isSame = imported?.name === binding.identifier.name && pass.project.resolve(other, imported.from) === file
      return isSame ? one.referencePaths.map((path) => ({ file: other, path })) : []
    }),
  )
  return [...own, ...others]
}

/** The request of an endpoint for an argument. */
function requestOf(pass: Pass, evaluator: Evaluator, definition: Definition, argument: Value): Use {
  const { options, base } = definition
  const query = entryOf(options, 'query')
  if (
    query?.kind !== 'function' ||
    entryOf(options, 'queryFn') ||
    entryOf(options, '...') ||
    entryOf(options, 'merge')
  ) {
    throw new Unconvertible(`its endpoint "${definition.name}" has no "query" that can be read`)
  }
  const value = evaluator.call(query, isMissing(argument) ? [] : [argument])
  const url = value.kind === 'object' ? entryOf(value, 'url') : value
  if (!url) {
    throw new Unconvertible('its URL is not known')
  }
  const params = entryOf(value, 'params')
  const slash =
    (stringOf(base.url) ?? '').endsWith('/') || /^[/?]/.test(textStart(url)) || stringOf(base.url) === '' ? '' : '/'
  const request: RequestRead = {
    method: (stringOf(entryOf(value, 'method')) ?? 'GET').toUpperCase(),
    url: { kind: 'text', parts: [base.url, literal(slash), trimSlash(url, base.url)] },
    search: isMissing(params) ? undefined : params,
    body: isMissing(entryOf(value, 'body')) ? undefined : entryOf(value, 'body'),
    headers: base.headers,
    credentials: base.credentials,
    type: definition.type ? { node: definition.type, file: definition.file } : undefined,
    typePath: [],
    lost: [],
    name: definition.name,
  }
  const transform = entryOf(options, 'transformResponse')
  let path: readonly string[] = []
  if (transform) {
    const result = evaluator.call(transform, [{ kind: 'result', request: { ...request, type: undefined }, path: [] }])
    if (result.kind !== 'result') {
      throw new Unconvertible('transformResponse computes something')
    }
    path = result.path
  }
  return pass.api.add({ ...request, typePath: path }, path)
}

function textStart(value: Value): string {
  if (value.kind === 'text') {
    return value.parts.map(textStart).find((text) => text !== '') ?? ''
  }
  return stringOf(value) ?? 'x'
}

// fetchBaseQuery joins both with one slash.
function trimSlash(url: Value, base: Value): Value {
  if (!(stringOf(base) ?? '').endsWith('/')) {
    return url
  }
  if (url.kind === 'text') {
    const [first, ...rest] = url.parts
    return { kind: 'text', parts: first ? [trimSlash(first, base), ...rest] : [] }
  }
  const text = stringOf(url)
  return text === undefined ? url : literal(text.replace(/^\//, ''))
}

function readRead(pass: Pass, { file, path, hook, definition }: HookCall): RtkRead {
  const evaluator = new Evaluator(pass.project, path)
  const [argumentNode, optionsNode] = path.node.arguments
  let argument = argumentNode ? evaluator.value(argumentNode, file, new Map()) : UNDEFINED
  let test: Value | undefined
  let isNegated = false
  const isSkip = (value: Value): boolean => value.kind === 'external' && value.name === 'skipToken'
  if (isSkip(argument)) {
    throw new Unconvertible('it is always skipped')
  }
  if (argument.kind === 'choice') {
    if (isSkip(argument.no)) {
      test = argument.test
      argument = argument.yes
    } else if (isSkip(argument.yes)) {
      test = argument.test
      isNegated = true
      argument = argument.no
    }
  }
  const options = optionsNode ? evaluator.value(optionsNode, file, new Map()) : UNDEFINED
  noteDropped(pass, { file, node: path.node, what: hook }, options, DROPPED, 'docs/guide/from-rtk-query.md')
  for (const { name } of options.kind === 'object' ? options.entries : []) {
    if (!/^(?:skip|pollingInterval|skipPollingIfUnfocused|refetchOn\w+)$/.test(name ?? '')) {
      throw new Unconvertible(`the option "${name ?? '...'}" has no counterpart that the codemod knows`)
    }
  }
  const skip = entryOf(options, 'skip')
  if (skip && !(skip.kind === 'literal' && skip.value === false)) {
    if (test) {
      throw new Unconvertible('it has two conditions')
    }
    test = skip
    isNegated = true
  }
  const use = requestOf(pass, evaluator, definition, argument)
  const interval = entryOf(options, 'pollingInterval')
  if (interval) {
    setConstant(pass, use, 'pollFrequency', interval)
  }
  return {
    file,
    path,
    hook,
    definition,
    use,
    test,
    isNegated,
    isSuspense: false,
    keepsPrevious: false,
    isPolled: interval !== undefined,
    sites: readResult(pass.project, file, path),
    member: (name): Member => {
      const ours = {
        data: 'data',
        currentData: 'data',
        error: 'error',
        isLoading: 'loading',
        isFetching: 'fetching',
        refetch: 'refetch',
        fulfilledTimeStamp: 'fetchedAt',
      }[name]
      if (ours) {
        return { name: ours }
      }
      if (name === 'isError') {
        return { needs: ['error'], write: (at) => `${at('error')} !== undefined` }
      }
      if (name === 'isSuccess') {
        return { needs: ['loading', 'error'], write: (at) => `!${at('loading')} && ${at('error')} === undefined` }
      }
      throw new Unconvertible(`"${name}" of its result has no counterpart that the codemod knows`)
    },
  }
}

const VARIABLES: Value = { kind: 'code', text: 'variables', file: undefined, names: [], isLocal: false }

function readMutation(pass: Pass, call: HookCall): RtkMutation {
  const { file, path, definition } = call
  if (path.node.arguments.length > 0) {
    throw new Unconvertible('it has options')
  }
  const { operation } = requestOf(pass, new Evaluator(pass.project, path), definition, VARIABLES)
  const started = entryOf(definition.options, 'onQueryStarted')
  if (started?.kind === 'function') {
    const code = definition.file.code(started.node)
    if (!/updateQueryData|patchQueryData/.test(code) || code.includes('upsertQueryData')) {
      throw new Unconvertible('onQueryStarted does more than an optimistic update')
    }
    pass.api.operations.get(operation)!.isOptimistic = true
  }
  const mutation = { ...call, operation, sites: readResult(pass.project, file, path) }
  triggersOf(pass, mutation)
  return mutation
}

interface Trigger {
  readonly file: SourceFile
  readonly call: NodePath<t.CallExpression>
  /** `.unwrap()` around it. */
  readonly outer: NodePath
  readonly isAsync: boolean
  readonly use: Use
  readonly local: string
}

function triggersOf(pass: Pass, mutation: RtkMutation): Trigger[] {
  const found: Trigger[] = []
  for (const site of mutation.sites) {
    if (site.kind !== 'array') {
      throw new Unconvertible('its result is not taken apart as [trigger, result]')
    }
    const [trigger, result] = site.node.elements
    if (trigger?.type !== 'Identifier' || (result && result.type !== 'ObjectPattern')) {
      throw new Unconvertible('its result is not taken apart as [trigger, { isLoading, … }]')
    }
    for (const path of site.scope.scope.getBinding(trigger.name)?.referencePaths ?? []) {
      if (path.parent.type === 'ArrayExpression') {
        continue
      }
      const call = path.parentPath
      if (!call?.isCallExpression() || call.node.callee !== path.node) {
        throw new Unconvertible(`"${trigger.name}" is passed on`)
      }
      const evaluator = new Evaluator(pass.project, call)
      const [first] = call.node.arguments
      const use = requestOf(
        pass,
        evaluator,
        mutation.definition,
        first ? evaluator.value(first, site.file, new Map()) : UNDEFINED,
      )
      const member = call.parentPath
      const unwrap =
        member?.isMemberExpression() && nameOf(member.node.property) === 'unwrap' ? member.parentPath : undefined
      const parent = call.parent.type
      const isPlain =
        parent === 'ExpressionStatement' ||
        parent === 'ArrowFunctionExpression' ||
        (parent === 'UnaryExpression' && call.parent.operator === 'void')
      if (!unwrap && !isPlain) {
        throw new Unconvertible(`the result of "${trigger.name}" is used without unwrap()`)
      }
      found.push({
        file: site.file,
        call,
        outer: unwrap ?? call,
        isAsync: unwrap !== undefined,
        use,
        local: trigger.name,
      })
    }
  }
  return found
}

function writeMutation(pass: Pass, mutation: RtkMutation, reads: readonly RtkRead[]): void {
  const { file, path, definition, operation } = mutation
  const place = pass.api.places.get(operation)!
  const code = pass.endpoint(file, place)
  const ours = pass.hook(file, 'useMutation')
  const triggers = triggersOf(pass, mutation)
  const [isAsync, isPlain] = [triggers.some((one) => one.isAsync), triggers.some((one) => !one.isAsync)]
  for (const { file: own, call, outer, isAsync: isOwn, use, local } of triggers) {
    const name = isOwn && isPlain ? `${local}Async` : local
    pass.output.edit(own, call.node.start!, outer.node.end!, `${name}(${pass.args(use, own).join(', ')})`)
  }
  for (const site of mutation.sites) {
    if (site.kind !== 'array') {
      continue
    }
    const [trigger, result] = site.node.elements
    const { name } = trigger as t.Identifier
    const parts = [
      ...(isPlain || !isAsync ? [name === 'mutate' ? name : `mutate: ${name}`] : []),
      ...(isAsync ? [isPlain ? `mutateAsync: ${name}Async` : `mutateAsync: ${name}`] : []),
    ]
    for (const taken of result?.type === 'ObjectPattern' ? takenBy(result) : []) {
      const known = { isLoading: 'loading', error: 'error', data: 'data', reset: 'reset', status: undefined }[
        taken.name
      ]
      if (!known) {
        throw new Unconvertible(`"${taken.name}" of its result has no counterpart that the codemod knows`)
      }
      parts.push(known === taken.local ? known : `${known}: ${taken.local}`)
    }
    pass.output.edit(site.file, site.node.start!, site.node.end!, `{ ${parts.join(', ')} }`)
  }
  const isMember = pass.api.resources.some(({ operations }) =>
    [...operations.values()].some(({ key }) => key === operation),
  )
  const entity = isMember ? place.entity : undefined
  const stale = reads.filter(
    (read) =>
      sharesTag(read.definition, definition) && (entity === undefined || pass.placeOf(read.use).entity !== entity),
  )
  const codes = [...new Set(stale.map(({ use }) => pass.endpoint(file, pass.placeOf(use))))]
  let options = ''
  if (codes.length > 0) {
    addController(pass, file, path)
    const [only, ...more] = codes
    options =
      more.length === 0
        ? `, { onSettled: () => void controller.expireAll(${only}) }`
        : `, {\n    onSettled: () => {\n${codes.map((one) => `      void controller.expireAll(${one})`).join('\n')}\n    },\n  }`
  }
  pass.output.replace(file, path.node, `${ours}(${code}${options})`)
  pass.note('converted', file, path.node, mutation.hook, `${ours}(${code})`)
}

function sharesTag(a: Definition, b: Definition): boolean {
  return a.tags.some((tag) => b.tags.includes(tag))
}

/** Tags join what reads and what writes: if one side stays, so does the other. */
function checkTags(
  pass: Pass,
  calls: readonly HookCall[],
  reads: readonly RtkRead[],
  mutations: readonly RtkMutation[],
): void {
  for (const call of calls.filter(({ file, path }) => pass.isExcluded(file, path.node))) {
    const others = call.definition.kind === 'mutation' ? reads : mutations
    for (const other of others.filter(({ definition }) => sharesTag(definition, call.definition))) {
      pass.exclude(
        other.file,
        other.path.node,
        `it shares a tag with ${call.hook} in ${call.file.path}:${call.file.line(call.path.node)}, which stays`,
      )
    }
  }
}

function isWithin(node: t.Node, outer: t.Node): boolean {
  return outer.start! <= node.start! && node.end! <= outer.end!
}
