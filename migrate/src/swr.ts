import type * as t from '@babel/types'
import type { Use } from './Api.ts'
import { Unconvertible } from './errors.ts'
import { Evaluator } from './evaluate.ts'
import { noteDropped } from './noteDropped.ts'
import type { Pass } from './Pass.ts'
import type { SourceFile } from './Project.ts'
import { provide } from './provide.ts'
import { type Read, setConstant, writeRead } from './read.ts'
import { type Member, readResult, rewriteSite, type Site, takenBy } from './result.ts'
import { addComment } from './addComment.ts'
import { addController } from './addController.ts'
import { bare, isFunction, nameOf, type NodePath } from './syntax.ts'
import { entryOf, stringOf, UNDEFINED, type Value } from './values.ts'

export const SWR = /^swr(?:\/.*)?$/

interface SwrRead extends Read {
  readonly key: Value
  readonly options: Value | undefined
}

interface SwrMutation {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  readonly key: Value
  readonly fn: Value
  readonly operation: string
  readonly sites: readonly Site[]
}

const VARIABLES: Value = { kind: 'code', text: 'variables', file: undefined, names: [], isLocal: false }
const READ_OPTIONS =
  /^(?:fetcher|suspense|refreshInterval|keepPreviousData|revalidate\w+|dedupingInterval|shouldRetryOnError|errorRetry\w+|focusThrottleInterval|loadingTimeout|refreshWhen\w+)$/

const DROPPED =
  /^(?:revalidate\w+|dedupingInterval|shouldRetryOnError|errorRetry\w+|focusThrottleInterval|loadingTimeout|refreshWhen\w+)$/
const OPTIONS_PAGE = 'docs/guide/from-swr.md'

export function convertSwr(pass: Pass): void {
  const reads: SwrRead[] = []
  const mutations: SwrMutation[] = []
  const shared = sharedFetcher(pass)
  for (const { file, path, name } of pass.callsOf()) {
    const from = moduleOf(pass, file, path)
    if (from === 'swr' && (name === 'default' || name === 'useSWR')) {
      const read = pass.attempt(file, path.node, () => readRead(pass, file, path, shared))
      if (read) {
        reads.push(read)
      }
    } else if (from === 'swr/mutation') {
      const mutation = pass.attempt(file, path.node, () => readMutation(pass, file, path))
      if (mutation) {
        mutations.push(mutation)
      }
    } else if (name !== 'mutate' && name !== 'useSWRConfig' && name !== 'preload') {
      pass.exclude(file, path.node, `"${from}" is converted by hand: see docs/guide/from-swr.md`)
    }
  }
  const mutates = findMutates(pass)
  checkMutates(pass, mutates, reads, mutations)
  if (pass.hasChanged) {
    return
  }
  pass.api.plan(new Set([...reads.map(({ use }) => use.operation), ...mutations.map(({ operation }) => operation)]))
  for (const read of reads) {
    pass.attempt(read.file, read.path.node, () => {
      writeRead(pass, read)
      noteDropped(pass, { file: read.file, node: read.path.node, what: 'useSWR' }, read.options, DROPPED, OPTIONS_PAGE)
    })
  }
  mutations.forEach((mutation) =>
    pass.attempt(mutation.file, mutation.path.node, () => writeMutation(pass, mutation, mutates, reads)),
  )
  for (const call of mutates) {
    if (!mutations.some(({ file, path }) => file === call.file && isWithin(call.path.node, path.node))) {
      writeMutate(pass, call, reads, undefined)
    }
  }
  provide(pass, (from, name) => SWR.test(from) && name === 'SWRConfig', false)
  if (pass.notes.some(({ kind }) => kind === 'converted')) {
    for (const { file, path, value } of findConfigs(pass)) {
      noteDropped(pass, { file, node: path.node, what: 'SWRConfig' }, value, /^(?!fetcher$)/, OPTIONS_PAGE)
    }
  }
}

function moduleOf(pass: Pass, file: SourceFile, path: NodePath<t.CallExpression>): string | undefined {
  const { callee } = path.node
  const binding = callee.type === 'Identifier' ? path.scope.getBinding(callee.name) : undefined
  return binding && pass.project.importOf(file, binding)?.from
}

/** The fetcher of <SWRConfig value={{ fetcher }}>. */
function sharedFetcher(pass: Pass): Value | undefined {
  return findConfigs(pass)
    .map(({ value }) => entryOf(value, 'fetcher'))
    .findLast((fetcher) => fetcher !== undefined)
}

function findConfigs(pass: Pass): { file: SourceFile; path: NodePath; value: Value }[] {
  const found: { file: SourceFile; path: NodePath; value: Value }[] = []
  for (const file of pass.project.files.values()) {
    file.program.traverse({
      JSXOpeningElement(path) {
        if (path.node.name.type !== 'JSXIdentifier' || path.node.name.name !== 'SWRConfig') {
          return
        }
        for (const attribute of path.node.attributes) {
          if (
            attribute.type === 'JSXAttribute' &&
            attribute.name.name === 'value' &&
            attribute.value?.type === 'JSXExpressionContainer'
          ) {
            const value = new Evaluator(pass.project, path).value(attribute.value.expression, file, new Map())
            found.push({ file, path, value })
          }
        }
      },
    })
  }
  return found
}

/** A key, and the condition under which there is one. */
function splitKey(pass: Pass, evaluator: Evaluator, value: Value): { key: Value; test: Value | undefined } {
  void pass
  const key = value.kind === 'function' ? evaluator.call(value, []) : value
  if (key.kind === 'choice') {
    if (isNothing(key.no)) {
      return { key: key.yes, test: key.test }
    }
    if (isNothing(key.yes)) {
      throw new Unconvertible('its key is there unless something is true: turn the condition round')
    }
  }
  return { key, test: undefined }
}

function isNothing(value: Value): boolean {
  return value.kind === 'literal' && !value.value
}

function readRead(pass: Pass, file: SourceFile, path: NodePath<t.CallExpression>, shared: Value | undefined): SwrRead {
  const evaluator = new Evaluator(pass.project, path)
  const values = path.node.arguments.map((arg) => evaluator.value(arg, file, new Map()))
  const options = values.find((value, index) => index > 0 && value.kind === 'object')
  for (const { name } of options?.kind === 'object' ? options.entries : []) {
    if (name === undefined || !READ_OPTIONS.test(name)) {
      throw new Unconvertible(`the option "${name ?? '...'}" has no counterpart that the codemod knows`)
    }
  }
  const { key, test } = splitKey(pass, evaluator, values[0] ?? UNDEFINED)
  const fetcher = values[1]?.kind === 'function' ? values[1] : (entryOf(options, 'fetcher') ?? shared)
  const result = evaluator.call(fetcher ?? UNDEFINED, [key])
  if (result.kind !== 'result') {
    throw new Unconvertible('its fetcher does not return the body of a response')
  }
  const [typeArgument] =
    (path.node as { typeParameters?: t.TSTypeParameterInstantiation | null }).typeParameters?.params ?? []
  const request =
    !result.request.type && typeArgument
      ? { ...result.request, type: { node: typeArgument, file }, typePath: result.path }
      : result.request
  // The fetcher has one name for all requests.
  const use = pass.api.add({ ...request, name: undefined }, result.path)
  const interval = entryOf(options, 'refreshInterval')
  if (interval) {
    setConstant(pass, use, 'pollFrequency', interval)
  }
  const suspense = entryOf(options, 'suspense')
  const sites = readResult(pass.project, file, path)
  return {
    file,
    path,
    hook: 'useSWR',
    use,
    key,
    options,
    test,
    isSuspense: suspense?.kind === 'literal' && suspense.value === true,
    keepsPrevious: entryOf(options, 'keepPreviousData') !== undefined,
    isPolled: interval !== undefined,
    sites,
    member: (name): Member => {
      const ours = { data: 'data', error: 'error', isLoading: 'loading', isValidating: 'fetching' }[name]
      if (ours) {
        return { name: ours }
      }
      if (name === 'mutate' && sites.every((site) => isPlainMutate(site))) {
        return { name: 'refetch' }
      }
      throw new Unconvertible(
        name === 'mutate'
          ? 'its "mutate" writes to the cache: write controller.set'
          : `"${name}" of its result has no counterpart`,
      )
    },
  }
}

/** `mutate()` without a value fetches again. */
function isPlainMutate(site: Site): boolean {
  const isPlain = (path: NodePath): boolean =>
    path.parentPath?.isCallExpression() === true &&
    path.parentPath.node.callee === path.node &&
    path.parentPath.node.arguments.length === 0
  if (site.kind === 'member') {
    return site.name !== 'mutate' || isPlain(site.path)
  }
  if (site.kind === 'pattern') {
    return takenBy(site.node).every(
      ({ name, local }) => name !== 'mutate' || site.scope.scope.getBinding(local)!.referencePaths.every(isPlain),
    )
  }
  return true
}

function sendWith(pass: Pass, evaluator: Evaluator, mutation: { key: Value; fn: Value }, variables: Value): Use {
  const args: Value[] = [mutation.key, { kind: 'object', entries: [{ name: 'arg', value: variables }] }]
  let result: Value | undefined = evaluator.call(mutation.fn, args)
  if (result.kind !== 'result' && result.kind !== 'response') {
    const found: Value[] = []
    const trace = new Evaluator(pass.project, evaluator.site)
    trace.onSend = (value) => found.push(value)
    trace.call(mutation.fn, args)
    result = found.length === 1 ? found[0] : undefined
  }
  if (result?.kind !== 'result' && result?.kind !== 'response') {
    throw new Unconvertible('its function sends no request that can be read')
  }
  return pass.api.add({ ...result.request, name: undefined }, result.kind === 'result' ? result.path : [])
}

function readMutation(pass: Pass, file: SourceFile, path: NodePath<t.CallExpression>): SwrMutation {
  const evaluator = new Evaluator(pass.project, path)
  const [keyNode, fnNode, optionsNode] = path.node.arguments
  if (!keyNode || !fnNode) {
    throw new Unconvertible('it has no function')
  }
  if (optionsNode && optionsNode.type !== 'ObjectExpression') {
    throw new Unconvertible('its options are not written at the call')
  }
  for (const property of optionsNode?.properties ?? []) {
    const name = property.type === 'SpreadElement' ? undefined : nameOf(property.key)
    if (
      !/^(?:onSuccess|onError|optimisticData|populateCache|rollbackOnError|revalidate|throwOnError)$/.test(name ?? '')
    ) {
      throw new Unconvertible(`the option "${name ?? '...'}" has no counterpart that the codemod knows`)
    }
    const fn =
      property.type === 'ObjectMethod'
        ? property
        : property.type === 'ObjectProperty'
          ? bare(property.value)
          : undefined
    if (name!.startsWith('on') && isFunction(fn) && fn.params.length > 1) {
      throw new Unconvertible(`${name} uses the key`)
    }
  }
  const { key } = splitKey(pass, evaluator, evaluator.value(keyNode, file, new Map()))
  const fn = evaluator.value(fnNode, file, new Map())
  const { operation } = sendWith(pass, evaluator, { key, fn }, VARIABLES)
  if (optionsNode?.properties.some((property) => 'key' in property && nameOf(property.key) === 'optimisticData')) {
    pass.api.operations.get(operation)!.isOptimistic = true
  }
  const mutation = { file, path, key, fn, operation, sites: readResult(pass.project, file, path) }
  triggers(pass, mutation)
  return mutation
}

function triggers(
  pass: Pass,
  mutation: SwrMutation,
): { file: SourceFile; call: NodePath<t.CallExpression>; use: Use }[] {
  const found: { file: SourceFile; call: NodePath<t.CallExpression>; use: Use }[] = []
  const add = (file: SourceFile, path: NodePath): void => {
    const call = path.parentPath
    if (!call?.isCallExpression() || call.node.callee !== path.node || call.node.arguments.length > 1) {
      throw new Unconvertible('"trigger" is passed on, or has options')
    }
    const evaluator = new Evaluator(pass.project, call)
    const [first] = call.node.arguments
    found.push({
      file,
      call,
      use: sendWith(pass, evaluator, mutation, first ? evaluator.value(first, file, new Map()) : UNDEFINED),
    })
  }
  for (const site of mutation.sites) {
    if (site.kind === 'member' && site.name === 'trigger') {
      add(site.file, site.path)
    } else if (site.kind === 'pattern') {
      for (const { name, local } of takenBy(site.node)) {
        if (name === 'trigger') {
          site.scope.scope.getBinding(local)!.referencePaths.forEach((path) => {
            if (path.parent.type !== 'ArrayExpression') {
              add(site.file, path)
            }
          })
        }
      }
    }
  }
  return found
}

function writeMutation(pass: Pass, mutation: SwrMutation, mutates: readonly Mutate[], reads: readonly SwrRead[]): void {
  const { file, path, operation } = mutation
  const place = pass.api.places.get(operation)!
  const code = pass.endpoint(file, place)
  const ours = pass.hook(file, 'useMutation')
  for (const { file: own, call, use } of triggers(pass, mutation)) {
    pass.output.edit(own, call.node.callee.end!, call.node.end!, `(${pass.args(use, own).join(', ')})`)
  }
  for (const site of mutation.sites) {
    const members = (name: string): Member => {
      const known = { trigger: 'mutateAsync', isMutating: 'loading', error: 'error', data: 'data', reset: 'reset' }[
        name
      ]
      if (!known) {
        throw new Unconvertible(`"${name}" of its result has no counterpart`)
      }
      return { name: known }
    }
    rewriteSite(site, members).forEach((edit) => pass.output.edit(site.file, edit.start, edit.end, edit.text))
  }
  const options = path.node.arguments[2] as t.ObjectExpression | undefined
  const isMember = pass.api.resources.some(({ operations }) =>
    [...operations.values()].some(({ key }) => key === operation),
  )
  const entity = isMember ? place.entity : undefined
  const kept = (options?.properties ?? []).filter((property) => {
    if (!('key' in property) || !(nameOf(property.key) ?? '').startsWith('on')) {
      return false
    }
    const fn = property.type === 'ObjectMethod' ? property : bare(property.value)
    if (!isFunction(fn)) {
      return true
    }
    const body = fn.body.type === 'BlockStatement' ? fn.body.body : [fn.body]
    const own = mutates.filter((call) => call.file === file && isWithin(call.path.node, fn))
    const gone = body.filter((node) =>
      own.some((call) => statementOf(call.path) === node && isPointless(pass, call, reads, entity)),
    )
    own
      .filter((call) => !gone.some((node) => isWithin(call.path.node, node)))
      .forEach((call) => writeMutate(pass, call, reads, entity))
    if (gone.length < body.length && fn.body.type === 'BlockStatement') {
      gone.forEach((node) => pass.output.remove(file, node))
    }
    return gone.length < body.length
  })
  if (options && kept.length > 0) {
    pass.output.edit(file, path.node.start!, options.start!, `${ours}(${code}, `)
    options.properties
      .filter((property) => !kept.includes(property))
      .forEach((property) => pass.output.remove(file, property))
  } else {
    pass.output.edit(file, path.node.start!, path.node.end!, `${ours}(${code})`)
  }
  const gone = (options?.properties ?? []).filter((property) => !kept.includes(property) && 'key' in property)
  if (gone.length > 0) {
    const names = gone.map((property) => nameOf((property as t.ObjectProperty).key))
    pass.note('note', file, path.node, 'useSWRMutation', `left out ${names.join(', ')}: the store does their work`)
  }
  // SWR fetches the key of a mutation again; a resource keeps its lists right itself.
  const others = reads.filter((read) => reaches(mutation.key, read.key) && pass.placeOf(read.use).entity !== entity)
  if (others.length > 0) {
    pass.note(
      'decide',
      file,
      path.node,
      'useSWRMutation',
      `SWR fetched its key again: expire ${others.map((read) => pass.placeOf(read.use).code).join(', ')} in onSuccess, if the response does not contain it`,
    )
  }
  pass.note('converted', file, path.node, 'useSWRMutation', `${ours}(${code})`)
}

interface Mutate {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  readonly key: Value | undefined
  readonly isWrite: boolean
  readonly isGlobal: boolean
}

/** Calls of the mutate function of the cache. */
function findMutates(pass: Pass): Mutate[] {
  const found: Mutate[] = []
  const add = (file: SourceFile, reference: NodePath, isGlobal: boolean): void => {
    const call = reference.parentPath
    if (call?.isCallExpression() && call.node.callee === reference.node) {
      const [key, data] = call.node.arguments
      let value: Value | undefined
      try {
        value = key && new Evaluator(pass.project, call).value(key, file, new Map())
      } catch {
        value = undefined
      }
      found.push({
        file,
        path: call,
        key: value,
        isWrite: data !== undefined && file.code(data) !== 'undefined',
        isGlobal,
      })
    }
  }
  for (const file of pass.project.files.values()) {
    for (const binding of Object.values(file.program.scope.bindings)) {
      const imported = pass.project.importOf(file, binding)
      if (imported?.from === 'swr' && imported.name === 'mutate') {
        binding.referencePaths.forEach((path) => add(file, path, true))
      }
      if (imported?.from === 'swr' && imported.name === 'useSWRConfig') {
        for (const reference of binding.referencePaths) {
          const declarator = reference.parentPath?.parent
          if (declarator?.type === 'VariableDeclarator' && declarator.id.type === 'ObjectPattern') {
            const taken = takenBy(declarator.id).find(({ name }) => name === 'mutate')
            const own = taken && reference.scope.getBinding(taken.local)
            own?.referencePaths.forEach((path) => add(file, path, false))
          }
        }
      }
    }
  }
  return found
}

/** Whether a call of mutate reaches a key. */
function reaches(target: Value | undefined, key: Value): boolean {
  if (target?.kind === 'function') {
    const code = target.file.code(target.node)
    const prefix = /\.startsWith\((['"`])(.+?)\1\)/.exec(code)?.[2]
    const first = /\[0\] === (['"])(.+?)\1/.exec(code)?.[2]
    const pattern = patternOf(key)
    if (pattern !== undefined && prefix !== undefined) {
      return pattern.startsWith(prefix)
    }
    return first === undefined || key.kind !== 'array' || patternOf(key.items[0] ?? UNDEFINED) === first
      ? first === undefined || key.kind === 'array'
      : false
  }
  if (!target) {
    return true
  }
  const [a, b] = [patternOf(target), patternOf(key)]
  return a === undefined || b === undefined || a === b
}

function patternOf(value: Value): string | undefined {
  if (value.kind === 'text') {
    return value.parts.map((part) => stringOf(part) ?? '*').join('')
  }
  if (value.kind === 'array') {
    return value.items.map((item) => patternOf(item) ?? '*').join(' ')
  }
  return stringOf(value)
}

function checkMutates(
  pass: Pass,
  mutates: readonly Mutate[],
  reads: readonly SwrRead[],
  mutations: readonly SwrMutation[],
): void {
  for (const call of mutates) {
    if (
      !call.isWrite ||
      mutations.some(({ file, path }) => file === call.file && isWithin(call.path.node, path.node))
    ) {
      continue
    }
    for (const read of reads.filter(({ key }) => reaches(call.key, key))) {
      pass.exclude(
        read.file,
        read.path.node,
        `mutate in ${call.file.path}:${call.file.line(call.path.node)} writes its key: convert that call first (controller.set, or an optimistic mutation)`,
      )
    }
  }
}

function isPointless(pass: Pass, call: Mutate, reads: readonly SwrRead[], entity: string | undefined): boolean {
  const touched = reads.filter(({ key }) => reaches(call.key, key))
  return entity !== undefined && !hasOldReads(pass) && touched.every(({ use }) => pass.placeOf(use).entity === entity)
}

function hasOldReads(pass: Pass): boolean {
  return pass
    .callsOf()
    .some(
      ({ file, path, name }) =>
        name === 'default' && pass.isExcluded(file, path.node) && moduleOf(pass, file, path) !== 'swr/mutation',
    )
}

function writeMutate(pass: Pass, call: Mutate, reads: readonly SwrRead[], entity: string | undefined): void {
  const { file, path } = call
  const touched = reads.filter(
    ({ key, use }) => reaches(call.key, key) && (entity === undefined || pass.placeOf(use).entity !== entity),
  )
  if (call.isWrite || touched.length === 0) {
    return
  }
  if (call.isGlobal && !isInComponent(path)) {
    pass.note('decide', file, path.node, 'mutate', 'there is no controller here: expire the endpoints where one is')
    addComment(pass, file, path, 'these keys are endpoints now: expire them with controller.expireAll')
    return
  }
  const codes = [...new Set(touched.map(({ use }) => pass.endpoint(file, pass.placeOf(use))))]
  addController(pass, file, path)
  const expire =
    codes.length === 1
      ? `controller.expireAll(${codes[0]})`
      : `Promise.all([${codes.map((code) => `controller.expireAll(${code})`).join(', ')}])`
  pass.output.replace(file, path.node, hasOldReads(pass) ? `Promise.all([${expire}, ${file.code(path.node)}])` : expire)
  pass.note('converted', file, path.node, 'mutate', `controller.expireAll(${codes.join(', ')})`)
}

function isInComponent(path: NodePath): boolean {
  for (let fn = path.getFunctionParent(); fn; fn = fn.getFunctionParent()) {
    const id = 'id' in fn.node ? fn.node.id : undefined
    const name =
      id?.type === 'Identifier'
        ? id.name
        : fn.parent.type === 'VariableDeclarator' && fn.parent.id.type === 'Identifier'
          ? fn.parent.id.name
          : ''
    if (/^(?:[A-Z]|use[A-Z])/.test(name)) {
      return true
    }
  }
  return false
}

function statementOf(path: NodePath): t.Node | undefined {
  let at: NodePath = path
  while (
    at.parentPath &&
    (at.parent.type === 'AwaitExpression' || (at.parent.type === 'UnaryExpression' && at.parent.operator === 'void'))
  ) {
    at = at.parentPath
  }
  return at.parent.type === 'ExpressionStatement' || at.parent.type === 'ReturnStatement' ? at.parent : at.node
}

function isWithin(node: t.Node, outer: t.Node): boolean {
  return outer.start! <= node.start! && node.end! <= outer.end!
}
