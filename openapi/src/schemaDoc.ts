import { type Doc, arrayDoc, callDoc, memberName, objectDoc, quote } from './print.ts'
import type { FileScope } from './FileScope.ts'
import type { Shape } from './Shapes.ts'
import type { Types } from './Types.ts'

/** The schema of a value, as code; `undefined` for plain data. */
export function schemaDoc(types: Types, shape: Shape, scope: FileScope): Doc | undefined {
  switch (shape.kind) {
    case 'plain':
      return undefined
    case 'entity':
      scope.useEntity(shape.entity, true)
      return types.className(shape.entity)
    case 'union':
      scope.useLibrary('Union')
      return unionOf(types, 'Union', shape, scope)
    case 'either':
      scope.useHelper('EntityOr')
      if (shape.record.kind === 'union') {
        return unionOf(types, 'EntityOr', shape.record, scope)
      }
      if (shape.record.kind === 'entity') {
        const name = types.className(shape.record.entity)
        scope.useEntity(shape.record.entity, true)
        return callDoc('new EntityOr', [objectDoc([name]), `() => ${quote(name)}`])
      }
      return undefined
    case 'list':
      return arrayDoc([schemaDoc(types, shape.item, scope)!])
    case 'map':
      scope.useLibrary('Values')
      return callDoc('new Values', [schemaDoc(types, shape.value, scope)!])
    default:
      return objectDoc(
        [...shape.members].map(([name, member]) => memberDoc(types.field(name), schemaDoc(types, member, scope)!)),
      )
  }
}

/** `name: value`, or `name` if both are the same. */
export function memberDoc(name: string, value: Doc): Doc {
  return value === name && memberName(name) === name ? name : [`${memberName(name)}: `, value]
}

function unionOf(types: Types, callee: string, { by, members }: Shape & { kind: 'union' }, scope: FileScope): Doc {
  const items = [...members].map(([value, entity]) => {
    scope.useEntity(entity, true)
    return memberDoc(value, types.className(entity))
  })
  const isField = [...members.values()].some(({ view }) => view.properties.has(by))
  const attribute = isField ? quote(types.field(by)) : `(value: Record<string, unknown>) => value[${quote(by)}]`
  return callDoc(`new ${callee}`, [objectDoc(items), attribute])
}
