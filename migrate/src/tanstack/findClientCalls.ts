import type * as t from '@babel/types'
import { Unconvertible } from '../errors.ts'
import { Evaluator } from '../evaluate.ts'
import type { Pass } from '../Pass.ts'
import type { SourceFile } from '../Project.ts'
import { bare, type Binding, nameOf, type NodePath } from '../syntax.ts'
import { entryOf, type Value } from '../values.ts'
import { TANSTACK } from './library.ts'

/** A call of a method of a QueryClient. */
export interface ClientCall {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  readonly method: string
  readonly client: Binding
  readonly key: Value | undefined
}

/** Every call of a method of a QueryClient. */
export function findClientCalls(pass: Pass): ClientCall[] {
  const { project } = pass
  const found: ClientCall[] = []
  for (const file of project.files.values()) {
    const add = (client: Binding | undefined): void => {
      if (client) {
        const references = client.scope.path.isProgram()
          ? project.referencesOf({ file, binding: client })
          : client.referencePaths.map((reference) => ({ file, path: reference }))
        found.push(...references.flatMap((reference) => callOf(pass, reference.file, client, reference.path) ?? []))
      }
    }
    file.program.traverse({
      VariableDeclarator: (path) => add(clientOf(pass, file, path)),
      Function: (path) => path.node.params.forEach((param) => add(parameterOf(pass, file, path, param))),
    })
  }
  return found
}

/** `const client = useQueryClient()` or `new QueryClient()`. */
function clientOf(pass: Pass, file: SourceFile, path: NodePath<t.VariableDeclarator>): Binding | undefined {
  const { id } = path.node
  const init = bare(path.node.init)
  if (
    (init?.type !== 'CallExpression' && init?.type !== 'NewExpression') ||
    init.callee.type !== 'Identifier' ||
    id.type !== 'Identifier'
  ) {
    return undefined
  }
  const binding = path.scope.getBinding(init.callee.name)
  const imported = binding && pass.project.importOf(file, binding)
  const isClient = imported && TANSTACK.test(imported.from) && /^(?:useQueryClient|QueryClient)$/.test(imported.name)
  return isClient ? path.scope.getBinding(id.name) : undefined
}

/** `(client: QueryClient) =>`, as loaders of routers have it. */
function parameterOf(pass: Pass, file: SourceFile, { scope }: NodePath, param: t.Node): Binding | undefined {
  const type = param.type === 'Identifier' ? param.typeAnnotation : undefined
  const reference = type?.type === 'TSTypeAnnotation' ? type.typeAnnotation : undefined
  if (reference?.type !== 'TSTypeReference' || reference.typeName.type !== 'Identifier') {
    return undefined
  }
  const binding = scope.getBinding(reference.typeName.name)
  const imported = binding && pass.project.importOf(file, binding)
  const isClient = imported && TANSTACK.test(imported.from) && imported.name === 'QueryClient'
  return isClient ? scope.getBinding((param as t.Identifier).name) : undefined
}

function callOf(pass: Pass, file: SourceFile, client: Binding, reference: NodePath): ClientCall | undefined {
  const { parentPath } = reference
  const call = parentPath?.parentPath
  if (
    !call?.isCallExpression() ||
    !parentPath!.node.type.includes('MemberExpression') ||
    call.node.callee !== parentPath!.node
  ) {
    return undefined
  }
  const method = nameOf((parentPath!.node as t.MemberExpression).property) ?? ''
  const [first] = call.node.arguments
  return { file, path: call, method, client, key: first && keyOf(pass, file, call, first, method) }
}

function keyOf(pass: Pass, file: SourceFile, path: NodePath, first: t.Node, method: string): Value | undefined {
  try {
    const value = new Evaluator(pass.project, path).value(first, file, new Map())
    const key = /^(?:set|get)Query/.test(method) ? value : value.kind === 'object' ? entryOf(value, 'queryKey') : value
    return key?.kind === 'object' ? entryOf(key, 'queryKey') : key
  } catch (error) {
    if (error instanceof Unconvertible) {
      return { kind: 'code', text: '?', file: undefined, names: [], isLocal: true }
    }
    throw error
  }
}
