import type * as t from '@babel/types'
import { Unconvertible } from '../errors.ts'
import type { SourceFile } from '../Project.ts'
import { bare } from '../syntax.ts'
import type { Value } from '../values.ts'

const CACHE_CALL =
  /^(?:await |void )?[\w.]+\.(?:cancelQueries|setQueryData|setQueriesData|getQueryData|getQueriesData)\b/
const PURE_CALL =
  /\b(?:Date\.now|crypto\.randomUUID|Math\.random|String|Number|toString|toISOString|map|filter|find|slice|concat|some|findIndex)\(/g

/** onMutate may only write to the cache: the rest would be lost. */
export function checkOnMutate(file: SourceFile, value: Value): void {
  if (value.kind !== 'function' || value.file !== file || value.node.body.type !== 'BlockStatement') {
    throw new Unconvertible('onMutate is not written at the call')
  }
  if (!value.node.body.body.every((statement) => isCacheStatement(file, statement))) {
    throw new Unconvertible('onMutate does more than write to the cache')
  }
}

function isCacheStatement(file: SourceFile, statement: t.Statement): boolean {
  const writes = /QueryData|QueriesData/.test(file.code(statement))
  switch (statement.type) {
    case 'ReturnStatement':
      return true
    case 'VariableDeclaration':
      return statement.declarations.every(({ init }) => isCacheExpression(file, init))
    case 'ExpressionStatement':
      return CACHE_CALL.test(file.code(statement.expression))
    case 'IfStatement':
      return writes && !/navigate|toast|\bset(?!Quer)[A-Z]\w*\(/.test(file.code(statement))
    case 'ForOfStatement':
      return writes
    default:
      return false
  }
}

function isCacheExpression(file: SourceFile, expression: t.Node | null | undefined): boolean {
  const node = bare(expression)
  if (!node || node.type === 'AwaitExpression') {
    return !node || isCacheExpression(file, node.argument)
  }
  const text = file.code(node)
  return CACHE_CALL.test(text) || !/\w\(/.test(text.replaceAll(PURE_CALL, ''))
}
