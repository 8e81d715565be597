import type * as t from '@babel/types'
import { Unconvertible } from '../errors.ts'
import type { Pass } from '../Pass.ts'
import type { SourceFile } from '../Project.ts'
import { usesOfHook } from '../result.ts'
import { bare, type Binding, isFunction, nameOf, type NodePath } from '../syntax.ts'
import { findType } from '../types.ts'

/** Options that a custom hook takes from its callers: `useTodos({ queryConfig: { enabled } })`. */
export interface CallerConfig {
  /** The name of the options inside the hook. */
  readonly local: string
  readonly binding: Binding
  /** The property of the pattern that takes them. */
  readonly taken: t.ObjectProperty
  /** Everything that callers pass. */
  readonly passed: readonly t.ObjectProperty[]
  /** The type of the options, where it is declared in the same module. */
  readonly type: t.Node | undefined
}

/** Reads what the callers of the hook around a name pass for it. */
export function readCallerConfig(pass: Pass, file: SourceFile, name: t.Node): CallerConfig {
  const binding = name.type === 'Identifier' ? sourceOf(file, file.pathOf(name).scope.getBinding(name.name)) : undefined
  const fn = binding?.kind === 'param' ? binding.path.getFunctionParent() : undefined
  const hook = binding?.path.isFunction() ? binding.path : fn
  const [param] = hook && isFunction(hook.node) ? hook.node.params : []
  const pattern = param?.type === 'AssignmentPattern' ? param.left : param
  const taken =
    pattern?.type === 'ObjectPattern'
      ? pattern.properties.find((one): one is t.ObjectProperty => takes(one, binding!.identifier.name))
      : undefined
  const key = taken && nameOf(taken.key)
  const id = hook?.parent.type === 'VariableDeclarator' ? hook.parent.id : hook?.isFunctionDeclaration() && hook.node.id
  const isHook = id && id.type === 'Identifier' && /^use[A-Z]/.test(id.name)
  if (!binding || !hook || !isHook || !taken || key === undefined) {
    throw new Unconvertible('its options contain a spread of what callers pass: write these options at the call')
  }
  const passed = usesOfHook(pass.project, file, hook).flatMap((use) =>
    passedAt(use.file, use.path.node as t.CallExpression, key),
  )
  const type = typeOf(pass, file, pattern as t.ObjectPattern, key)
  return { local: binding.identifier.name, binding, taken, passed, type }
}

/** `const { onSuccess, ...rest } = config || {}`: the options are those of `config`. */
function sourceOf(file: SourceFile, binding: Binding | undefined): Binding | undefined {
  const declarator = binding?.path.node
  if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'ObjectPattern') {
    return binding
  }
  const init = bare(declarator.init)
  const source = init?.type === 'LogicalExpression' ? bare(init.left) : init
  return source?.type === 'Identifier' ? file.pathOf(source).scope.getBinding(source.name) : undefined
}

function takes(property: t.ObjectPattern['properties'][number], local: string): boolean {
  const value = property.type === 'ObjectProperty' ? property.value : undefined
  const id = value?.type === 'AssignmentPattern' ? value.left : value
  return id?.type === 'Identifier' && id.name === local
}

function passedAt(file: SourceFile, call: t.CallExpression, key: string): t.ObjectProperty[] {
  const [options] = call.arguments
  const given = propertiesOf(options)
  const value = given?.find((property) => nameOf(property.key) === key)?.value
  const config = value && propertiesOf(value)
  if ((options && !given) || (value && !config)) {
    throw new Unconvertible(`what ${file.path}:${file.line(call)} passes as "${key}" is not known`)
  }
  return config ?? []
}

/** The properties of an object, if all of them are written there. */
function propertiesOf(node: t.Node | undefined): t.ObjectProperty[] | undefined {
  const object = bare(node)
  return object?.type === 'ObjectExpression' && object.properties.every((one) => one.type === 'ObjectProperty')
    ? object.properties
    : undefined
}

function typeOf(pass: Pass, file: SourceFile, pattern: t.ObjectPattern, key: string): t.Node | undefined {
  const annotation = pattern.typeAnnotation?.type === 'TSTypeAnnotation' ? pattern.typeAnnotation.typeAnnotation : null
  const name =
    annotation?.type === 'TSTypeReference' && annotation.typeName.type === 'Identifier' && annotation.typeName
  const found = name ? findType(pass.project, file, name.name) : undefined
  const body =
    annotation?.type === 'TSTypeLiteral'
      ? annotation.members
      : found?.ref.file !== file
        ? []
        : found.node.type === 'TSInterfaceDeclaration'
          ? found.node.body.body
          : found.node.type === 'TSTypeAliasDeclaration' && found.node.typeAnnotation.type === 'TSTypeLiteral'
            ? found.node.typeAnnotation.members
            : []
  const member = body.find((one): one is t.TSPropertySignature => 'key' in one && nameOf(one.key) === key)
  return member?.typeAnnotation?.typeAnnotation
}

/** Whether a callback that a caller passes reads only what both libraries pass to it. */
export function isPlainCallback({ key, value }: t.ObjectProperty): boolean {
  const most = { onSuccess: 1, onError: 1, onSettled: 2 }[nameOf(key) ?? '']
  const fn = bare(value)
  return most !== undefined && isFunction(fn) && fn.params.length <= most
}

/** The scope of a hook without the options that nobody passes any more. */
export function removeTaken(pass: Pass, file: SourceFile, { binding, taken }: CallerConfig, at: NodePath): void {
  const others = binding.referencePaths.filter((reference) => !reference.findParent((one) => one === at))
  if (others.length > 0) {
    return
  }
  const { properties } = file.pathOf(taken).parent as t.ObjectPattern
  const before = properties[properties.indexOf(taken) - 1]
  if (before && taken === properties.at(-1)) {
    pass.output.edit(file, before.end!, taken.end!, '')
  } else {
    pass.output.remove(file, taken)
  }
}
