import type * as t from '@babel/types'
import { Unconvertible } from './errors.ts'
import type { Pass } from './Pass.ts'
import type { SourceFile } from './Project.ts'
import type { NodePath } from './syntax.ts'

/** Adds `const controller = useController()` at the start of the function that is a component or a hook. */
export function addController(pass: Pass, file: SourceFile, path: NodePath): void {
  let fn = path.getFunctionParent() as NodePath | null
  for (let at = fn; at; at = at.getFunctionParent() as NodePath | null) {
    fn = at
  }
  const body = (fn?.node as t.Function | undefined)?.body
  if (!fn || body?.type !== 'BlockStatement' || !isComponent(fn)) {
    throw new Unconvertible('there is no component around it')
  }
  if (fn.scope.hasOwnBinding('controller')) {
    return
  }
  const [first] = body.body
  const indent = first ? /[ \t]*$/.exec(file.text.slice(0, first.start!))![0] : '  '
  const end = /;\s*$/.test(file.code(first ?? body)) ? ';' : ''
  pass.output.edit(
    file,
    first?.start ?? body.start! + 1,
    first?.start ?? body.start! + 1,
    `const controller = ${pass.hook(file, 'useController')}()${end}\n${indent}`,
  )
}

/** A component or a hook, by its name or by a hook that it calls. Loaders and functions of a server are neither. */
function isComponent(fn: NodePath): boolean {
  const { node, parent } = fn
  const id = (node as t.FunctionDeclaration).id ?? (parent.type === 'VariableDeclarator' ? parent.id : undefined)
  if (id?.type === 'Identifier' && /^(?:[A-Z]|use[A-Z])/.test(id.name)) {
    return true
  }
  let callsHook = false
  fn.traverse({
    CallExpression({ node: { callee } }) {
      callsHook ||= callee.type === 'Identifier' && /^use[A-Z]/.test(callee.name)
    },
  })
  return callsHook
}
