import type { ApiMap, MapEntry } from './Api.ts'
import type { Project, SourceFile } from './Project.ts'
import { declaredNames } from './Project.ts'
import { bare, nameOf } from './syntax.ts'
import type * as t from '@babel/types'

/** The endpoints that an earlier run wrote, and its entities: a later run uses them. */
export function readEndpoints(project: Project, target: string): { map: ApiMap; entities: Set<string> } {
  const file = project.files.get(target)
  const map: { [operation: string]: MapEntry } = {}
  const entities = new Set<string>()
  for (const statement of file?.program.node.body ?? []) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined
    if (declaration?.type === 'ClassDeclaration') {
      declaredNames(declaration).forEach((name) => entities.add(name))
    }
    if (declaration?.type !== 'VariableDeclaration') {
      continue
    }
    for (const { id, init } of declaration.declarations) {
      const call = callIn(init)
      const options = call?.arguments[0]
      if (!file || id.type !== 'Identifier' || !call || options?.type !== 'ObjectExpression') {
        continue
      }
      const text = (name: string): string | undefined => stringProperty(file, options, name)
      const path = text('path')
      if (path === undefined) {
        continue
      }
      const prefix = text('urlPrefix') ?? ''
      const add = (method: string, endpointPath: string, endpoint: string): void => {
        map[`${method} ${prefix}${endpointPath}`] = { endpoint, from: target }
      }
      if (call.type === 'CallExpression') {
        const list = path.replace(/\/:[^/]*$/, '')
        add('GET', path, `${id.name}.get`)
        add('GET', list, `${id.name}.getList`)
        add('POST', list, `${id.name}.create`)
        add('PUT', path, `${id.name}.update`)
        add('PATCH', path, `${id.name}.partialUpdate`)
        add('DELETE', path, `${id.name}.delete`)
      } else {
        add(text('method') ?? 'GET', path, id.name)
      }
    }
  }
  return { map, entities }
}

/** The call inside `resource({ … }).extend({ … })`. */
function callIn(node: t.Node | null | undefined): t.CallExpression | t.NewExpression | undefined {
  const inner = bare(node)
  if (inner?.type === 'NewExpression') {
    return inner
  }
  if (inner?.type !== 'CallExpression') {
    return undefined
  }
  return inner.callee.type === 'MemberExpression' ? callIn(inner.callee.object) : inner
}

function stringProperty(file: SourceFile, options: t.ObjectExpression, name: string): string | undefined {
  for (const property of options.properties) {
    if (property.type === 'ObjectProperty' && nameOf(property.key) === name) {
      return property.value.type === 'StringLiteral' ? property.value.value : file.code(property.value)
    }
  }
  return undefined
}
