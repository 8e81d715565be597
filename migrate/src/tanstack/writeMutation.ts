import type * as t from '@babel/types'
import { Unconvertible } from '../errors.ts'
import { noteDropped } from '../noteDropped.ts'
import type { FileEdit, Pass } from '../Pass.ts'
import { type Member, rewriteSite } from '../result.ts'
import { bare, isFunction, nameOf } from '../syntax.ts'
import type { ClientCall } from './findClientCalls.ts'
import { OPTIONS_PAGE } from './options.ts'
import { type Mutation, readGeneralArgs, readMutateSites } from './readMutation.ts'
import type { Query } from './readQuery.ts'
import { removeCacheWork } from './removeCacheWork.ts'

const DELETED = new Set(['mutationFn', 'onMutate', 'mutationKey', 'retry', 'meta', 'gcTime'])
const DROPPED = /^(?:mutationKey|retry|meta|gcTime)$/
const NAMES: { readonly [name: string]: string } = {
  mutate: 'mutate',
  mutateAsync: 'mutateAsync',
  reset: 'reset',
  data: 'data',
  error: 'error',
  isPending: 'loading',
  isLoading: 'loading',
  status: 'status',
}
const STATUS: { readonly [name: string]: string } = { isError: 'error', isSuccess: 'success', isIdle: 'idle' }

export function writeMutation(
  pass: Pass,
  mutation: Mutation,
  clientCalls: readonly ClientCall[],
  queries: readonly Query[],
): void {
  const { file, path, object, operation, sites } = mutation
  const place = pass.api.places.get(operation)!
  const general = readGeneralArgs(pass, mutation)
  const isSame = general.length === 1 && general[0] === 'variables'
  const edits = writeCalls(pass, mutation, isSame)
  for (const site of sites) {
    edits.push(
      ...rewriteSite(site, (name) => mutationMember(name, isSame)).map((edit) => ({ file: site.file, ...edit })),
    )
  }
  const removed = new Set<t.Node>()
  for (const property of object?.properties ?? []) {
    const name = property.type === 'SpreadElement' ? undefined : nameOf(property.key)
    if (DELETED.has(name!)) {
      removed.add(property)
    } else if (name === 'onSuccess' || name === 'onError' || name === 'onSettled') {
      const fn = property.type === 'ObjectMethod' ? property : bare((property as t.ObjectProperty).value)
      if (isFunction(fn)) {
        const work = removeCacheWork(pass, mutation, fn, clientCalls, queries)
        if (work.isAll) {
          removed.add(property)
        } else {
          work.removed.forEach((node) => pass.output.remove(file, node))
          edits.push(...writeParameters(mutation, name, fn, work.removed, isSame))
        }
      }
    }
  }
  const ours = pass.hook(file, 'useMutation')
  const code = pass.endpoint(file, place)
  if (mutation.config?.type) {
    pass.output.import(file, 'restitch/react', 'type MutationOptions')
    pass.output.replace(file, mutation.config.type, `MutationOptions<typeof ${code}>`)
  }
  const start = path.node.start!
  if (!object?.properties.some((property) => !removed.has(property))) {
    pass.output.edit(file, start, path.node.end!, `${ours}(${code})`)
  } else {
    pass.output.edit(file, start, object.start!, `${ours}(${code}, `)
    removed.forEach((property) => pass.output.remove(file, property))
  }
  edits.forEach((edit) => pass.output.edit(edit.file, edit.start, edit.end, edit.text))
  pass.note('converted', file, path.node, 'useMutation', `${ours}(${code})`)
  noteDropped(pass, { file, node: path.node, what: 'useMutation' }, mutation.options, DROPPED, OPTIONS_PAGE)
  noteOptimistic(pass, mutation, code)
}

/** `mutate({ id, ...changes })` becomes `mutate({ id }, changes)`, the arguments of the endpoint. */
function writeCalls(pass: Pass, mutation: Mutation, isSame: boolean): FileEdit[] {
  return readMutateSites(pass, mutation).flatMap(({ file, path, call, use, callbacks }): FileEdit[] => {
    const args = pass.args(use, file)
    if (call) {
      const { callee } = call.node
      const tuned = callbacks ? `.with(${file.code(callbacks)})` : ''
      return [{ file, start: callee.end!, end: call.node.end!, text: `${tuned}(${args.join(', ')})` }]
    }
    if (isSame || args.length === 0) {
      return []
    }
    if (!/^(?:JSXExpressionContainer|ObjectProperty|CallExpression|ArrowFunctionExpression)$/.test(path.parent.type)) {
      throw new Unconvertible('"mutate" is passed on in a way that is not known')
    }
    const code = file.code(path.node)
    const isShort = path.parent.type === 'ObjectProperty' && path.parent.shorthand
    const text = `${isShort ? `${code}: ` : ''}(variables) => ${code}(${args.join(', ')})`
    return [{ file, start: path.node.start!, end: path.node.end!, text }]
  })
}

/** How the members of the result of a mutation are written. */
function mutationMember(name: string, isSame: boolean): Member {
  const own = NAMES[name]
  if (own) {
    return { name: own }
  }
  const status = STATUS[name]
  if (status) {
    return { needs: ['status'], write: (at) => `${at('status')} === '${status}'` }
  }
  if (name === 'variables' && isSame) {
    return { needs: ['variables'], write: (at) => `${at('variables')}?.[0]` }
  }
  throw new Unconvertible(`"${name}" of its result has no counterpart that the codemod knows`)
}

/** The variables of a callback are the arguments of the endpoint, and there is no context of onMutate. */
function writeParameters(
  { file }: Mutation,
  name: string,
  fn: t.Function,
  removed: readonly t.Node[],
  isSame: boolean,
): FileEdit[] {
  const index = name === 'onSettled' ? 2 : 1
  const variables = fn.params[index]
  const context = fn.params[index + 1]
  if (fn.params.some((param) => param.type === 'RestElement')) {
    checkRest(file, fn)
    return []
  }
  if (context && isNameUsed(file, fn, context, removed)) {
    throw new Unconvertible(`the context of onMutate is used in ${name} for more than a rollback`)
  }
  if (variables && isNameUsed(file, fn, variables, removed)) {
    if (!isSame || variables.type !== 'Identifier' || variables.typeAnnotation) {
      throw new Unconvertible(`${name} uses the variables`)
    }
    return [{ file, start: variables.start!, end: variables.end!, text: `[${file.code(variables)}]` }]
  }
  if (variables && (variables.type !== 'Identifier' || context)) {
    const before = fn.params[index - 1]!
    return [{ file, start: before.end!, end: (context ?? variables).end!, text: '' }]
  }
  return []
}

/** `(...args) => onSuccess?.(...args)`: what callers get is passed on as a whole. */
function checkRest(file: Mutation['file'], fn: t.Function): void {
  const rest = fn.params.at(-1)
  const name = rest?.type === 'RestElement' && rest.argument.type === 'Identifier' ? rest.argument.name : ''
  const binding = file.pathOf(fn.body).scope.getBinding(name)
  if (!binding?.referencePaths.every(({ parent }) => parent.type === 'SpreadElement')) {
    throw new Unconvertible('a callback takes its arguments apart')
  }
}

function isNameUsed(file: Mutation['file'], fn: t.Function, param: t.Node, removed: readonly t.Node[]): boolean {
  const names = new Set<string>()
  file.pathOf(param).traverse({ Identifier: (path) => void names.add(path.node.name) })
  if (param.type === 'Identifier') {
    names.add(param.name)
  }
  let isUsed = false
  file.pathOf(fn.body).traverse({
    Identifier(path) {
      const { node } = path
      if (
        names.has(node.name) &&
        path.isReferencedIdentifier() &&
        !removed.some((gone) => gone.start! <= node.start! && node.end! <= gone.end!)
      ) {
        isUsed = true
      }
    },
  })
  return isUsed
}

function noteOptimistic(pass: Pass, { file, path, operation, isOptimistic }: Mutation, code: string): void {
  if (isOptimistic) {
    pass.note('note', file, path.node, 'onMutate', `deleted, with its rollback: ${code} is optimistic`)
  }
  if (isOptimistic && pass.api.endpoints.some((endpoint) => endpoint.operation.key === operation)) {
    pass.note(
      'decide',
      file,
      path.node,
      'useMutation',
      `${code} was optimistic: write its getOptimisticResponse. docs/learn/5-optimistic.md`,
    )
  }
}
