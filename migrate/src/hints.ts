import type * as t from '@babel/types'
import type { SourceFile } from './Project.ts'
import type { TypeHint, Value } from './values.ts'

/** Gives a response the type that the code names, unless one nearer to the request is known. */
export function hinted(value: Value, type: TypeHint, isOfBody = false): Value {
  if (value.kind === 'response' && isOfBody) {
    return { ...value, request: { ...value.request, type, typePath: [] } }
  }
  if (
    value.kind === 'result' &&
    !value.request.type &&
    !/^(?:any|unknown|T|Response|Promise<unknown>|void)$/.test(type.file.code(type.node))
  ) {
    const inner = promisedType(type)
    if (isTypeParameter(inner)) {
      return value
    }
    return { ...value, request: { ...value.request, type: inner, typePath: value.path } }
  }
  return value
}

function isTypeParameter({ node, file }: TypeHint): boolean {
  if (node.type === 'TSUnknownKeyword' || node.type === 'TSAnyKeyword' || node.type === 'TSVoidKeyword') {
    return true
  }
  if (node.type !== 'TSTypeReference' || node.typeName.type !== 'Identifier') {
    return false
  }
  const { name } = node.typeName
  return file.typeParameters.has(name)
}

export function promised(annotation: t.Node | null | undefined, file: SourceFile): TypeHint | undefined {
  return annotation?.type === 'TSTypeAnnotation' ? promisedType({ node: annotation.typeAnnotation, file }) : undefined
}

/** The type inside Promise<T> and AxiosResponse<T>. */
export function promisedType({ node, file }: TypeHint): TypeHint {
  const type = node as t.TSTypeReference & { typeParameters?: t.TSTypeParameterInstantiation | null }
  if (node.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
    const [inner] = type.typeParameters?.params ?? []
    if (inner && /^(?:Promise|AxiosResponse|AxiosPromise)$/.test(type.typeName.name)) {
      return promisedType({ node: inner, file })
    }
  }
  return { node, file }
}
