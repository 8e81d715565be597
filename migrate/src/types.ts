import type * as t from '@babel/types'
import type { Project, Ref, SourceFile } from './Project.ts'
import { nameOf } from './syntax.ts'
import type { TypeHint } from './values.ts'

export interface Field {
  readonly name: string
  readonly type: TypeHint
  readonly isOptional: boolean
}

/** The description of a type, as far as its declarations are in these files. */
export type Shape =
  | { readonly kind: 'record'; readonly name: string; readonly id: string; readonly fields: readonly Field[] }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'other' }

const OTHER: Shape = { kind: 'other' }
const IDS = ['id', '_id', 'uuid', 'slug']

export function shapeOf(project: Project, { node, file }: TypeHint, depth = 0): Shape {
  if (depth > 8) {
    return OTHER
  }
  switch (node.type) {
    case 'TSArrayType':
      return { kind: 'list', item: shapeOf(project, { node: node.elementType, file }, depth + 1) }
    case 'TSTypeOperator':
      return shapeOf(project, { node: node.typeAnnotation, file }, depth)
    case 'TSParenthesizedType':
      return shapeOf(project, { node: node.typeAnnotation, file }, depth)
    case 'TSTypeLiteral':
      return { kind: 'object', fields: fieldsOf(node.members, file) }
    case 'TSIntersectionType':
      return merge(node.types.map((type) => shapeOf(project, { node: type, file }, depth + 1)))
    case 'TSUnionType': {
      const others = node.types.filter((type) => type.type !== 'TSNullKeyword' && type.type !== 'TSUndefinedKeyword')
      return others.length === 1 && others.length < node.types.length
        ? shapeOf(project, { node: others[0]!, file }, depth)
        : OTHER
    }
    case 'TSTypeReference': {
      if (node.typeName.type !== 'Identifier') {
        return OTHER
      }
      const { name } = node.typeName
      const [inner] = paramsOf(node)
      if ((name === 'Array' || name === 'ReadonlyArray') && inner) {
        return { kind: 'list', item: shapeOf(project, { node: inner, file }, depth + 1) }
      }
      const found = findType(project, file, name)
      if (!found) {
        return OTHER
      }
      const shape = declarationShape(
        project,
        found,
        paramsOf(node).map((param) => ({ node: param, file })),
        depth + 1,
      )
      if (shape.kind !== 'object') {
        return shape
      }
      const id = IDS.find((field) =>
        shape.fields.some((other) => other.name === field && !other.isOptional && isScalar(other.type.node)),
      )
      return id !== undefined && paramsOf(node).length === 0
        ? { kind: 'record', name: found.ref.name, id, fields: shape.fields }
        : shape
    }
    default:
      return OTHER
  }
}

function isScalar(node: t.Node): boolean {
  return (
    node.type === 'TSStringKeyword' ||
    node.type === 'TSNumberKeyword' ||
    node.type === 'TSUnionType' ||
    node.type === 'TSTypeReference'
  )
}

export function paramsOf(node: t.TSTypeReference): readonly t.TSType[] {
  const params = (node as { typeParameters?: t.TSTypeParameterInstantiation | null }).typeParameters
  return params?.params ?? []
}

interface FoundType {
  readonly node: t.TSInterfaceDeclaration | t.TSTypeAliasDeclaration | t.Node
  readonly ref: Ref
}

/** The declaration of a type, in this module or where it is imported from. */
export function findType(project: Project, file: SourceFile, name: string, depth = 0): FoundType | undefined {
  for (const statement of file.program.node.body) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement
    if (
      (declaration?.type === 'TSInterfaceDeclaration' ||
        declaration?.type === 'TSTypeAliasDeclaration' ||
        declaration?.type === 'TSEnumDeclaration' ||
        declaration?.type === 'ClassDeclaration') &&
      declaration.id?.name === name
    ) {
      return { node: declaration, ref: { file, name } }
    }
  }
  if (depth > 5) {
    return undefined
  }
  for (const statement of file.program.node.body) {
    const isExport = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportAllDeclaration'
    if ((statement.type !== 'ImportDeclaration' && !isExport) || !statement.source) {
      continue
    }
    const target = project.resolve(file, statement.source.value)
    if (!target) {
      continue
    }
    if (statement.type === 'ExportAllDeclaration') {
      const found = findType(project, target, name, depth + 1)
      if (found) {
        return found
      }
      continue
    }
    for (const specifier of statement.specifiers) {
      if (specifier.type === 'ImportSpecifier' && specifier.local.name === name) {
        return findType(project, target, nameOf(specifier.imported)!, depth + 1)
      }
      if (specifier.type === 'ExportSpecifier' && nameOf(specifier.exported) === name) {
        return findType(project, target, specifier.local.name, depth + 1)
      }
    }
  }
  return undefined
}

function declarationShape(project: Project, { node, ref }: FoundType, args: readonly TypeHint[], depth: number): Shape {
  if (node.type === 'TSInterfaceDeclaration') {
    const fields = new Map<string, Field>()
    for (const parent of node.extends ?? []) {
      const expression = (parent as { expression: t.Node }).expression
      const shape = expression.type === 'Identifier' ? parentShape(project, ref.file, expression.name, depth) : OTHER
      if (shape.kind === 'other') {
        return OTHER
      }
      if ('fields' in shape) {
        shape.fields.forEach((field) => fields.set(field.name, field))
      }
    }
    const own = fieldsOf(node.body.body, ref.file)
    own.forEach((field) => fields.set(field.name, field))
    return { kind: 'object', fields: [...fields.values()].map((field) => filled(field, node.typeParameters, args)) }
  }
  if (node.type === 'TSTypeAliasDeclaration') {
    const type = node.typeAnnotation
    if (type.type === 'TSTypeLiteral') {
      return {
        kind: 'object',
        fields: fieldsOf(type.members, ref.file).map((field) => filled(field, node.typeParameters, args)),
      }
    }
    const parts = type.type === 'TSIntersectionType' ? type.types : [type]
    return merge(
      parts.map((part) =>
        shapeOf(project, argumentOf(part, node.typeParameters, args) ?? { node: part, file: ref.file }, depth + 1),
      ),
    )
  }
  return OTHER
}

/** The fields of all parts of `A & B`. */
function merge(shapes: readonly Shape[]): Shape {
  if (shapes.length === 1) {
    return shapes[0]!
  }
  const fields = new Map<string, Field>()
  for (const shape of shapes) {
    if (!('fields' in shape)) {
      return OTHER
    }
    shape.fields.forEach((field) => fields.set(field.name, field))
  }
  return { kind: 'object', fields: [...fields.values()] }
}

/** The argument that stands for `T` and for `{ [K in keyof T]: T[K] }`. */
function argumentOf(
  type: t.TSType,
  parameters: t.Node | null | undefined,
  args: readonly TypeHint[],
): TypeHint | undefined {
  if (args.length === 0 || parameters?.type !== 'TSTypeParameterDeclaration') {
    return undefined
  }
  const constraint = type.type === 'TSMappedType' ? type.typeParameter.constraint : undefined
  const isCopy =
    type.type === 'TSMappedType' &&
    type.typeAnnotation?.type === 'TSIndexedAccessType' &&
    constraint?.type === 'TSTypeOperator'
  const name = isCopy ? constraint.typeAnnotation : type
  return name.type === 'TSTypeReference' && name.typeName.type === 'Identifier'
    ? args[parameters.params.findIndex((param) => param.name === (name.typeName as t.Identifier).name)]
    : undefined
}

function parentShape(project: Project, file: SourceFile, name: string, depth: number): Shape {
  const found = findType(project, file, name)
  return found ? declarationShape(project, found, [], depth + 1) : OTHER
}

// The arguments of a generic type take the places of its parameters: Page<Post> has `items: Post[]`.
function filled(field: Field, parameters: t.Node | null | undefined, args: readonly TypeHint[]): Field {
  if (args.length === 0 || parameters?.type !== 'TSTypeParameterDeclaration') {
    return field
  }
  const names = parameters.params.map((param) => param.name)
  const { node } = field.type
  const argument = (type: t.Node): TypeHint | undefined =>
    type.type === 'TSTypeReference' && type.typeName.type === 'Identifier'
      ? args[names.indexOf(type.typeName.name)]
      : undefined
  const whole = argument(node)
  if (whole) {
    return { ...field, type: whole }
  }
  const element = node.type === 'TSArrayType' ? argument(node.elementType) : undefined
  if (element) {
    const list = { ...(node as t.TSArrayType), elementType: element.node }
    return { ...field, type: { node: list, file: element.file } }
  }
  return field
}

function fieldsOf(members: readonly t.TSTypeElement[], file: SourceFile): Field[] {
  return members.flatMap((member): Field[] => {
    const name = member.type === 'TSPropertySignature' ? nameOf(member.key, member.computed) : undefined
    const annotation = member.type === 'TSPropertySignature' ? member.typeAnnotation?.typeAnnotation : undefined
    return name !== undefined && annotation
      ? [{ name, type: { node: annotation, file }, isOptional: (member as t.TSPropertySignature).optional ?? false }]
      : []
  })
}
