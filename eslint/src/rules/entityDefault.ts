import type { Rule } from 'eslint'
import { nameOf, type Node } from '../ast.ts'
import { createRule } from '../createRule.ts'
import { isBaseOfEntities } from '../entities.ts'
import type { Names } from '../Names.ts'

const OF_TYPES: Record<string, string> = {
  TSStringKeyword: "''",
  TSNumberKeyword: '0',
  TSBooleanKeyword: 'false',
  TSBigIntKeyword: '0n',
  TSArrayType: '[]',
  TSTupleType: '[]',
  TSNullKeyword: 'null',
  TSUndefinedKeyword: 'undefined',
  TSUnknownKeyword: 'undefined',
  TSAnyKeyword: 'undefined',
}

/** The fields of an Entity are those that its instances have when they are made: a type alone is none. */
export const entityDefault: Rule.RuleModule = createRule({
  name: 'entity-default',
  description: 'Give each field of an Entity a default value.',
  type: 'problem',
  hasSuggestions: true,
  messages: {
    missing:
      '`{{field}}` of {{entity}} has no default value, so a record that lacks it reads as `undefined`, whatever its type says. Give it one, such as `{{example}}`.',
    declared:
      '`declare {{field}}` leaves nothing at run time: {{entity}} does not know the field. Remove `declare`, and give it a default value, such as `{{example}}`.',
    suggestDefault: 'Write `{{example}}`.',
  },
  visit(names, context) {
    const check = (node: Node): void => {
      const base = names.baseOf(node)
      if (!isBaseOfEntities(base)) {
        return
      }
      // A class between may declare the field, and `declare` then narrows its type.
      const isDirect = names.importOf(node['superClass']) === base
      for (const member of node['body'].body as Node[]) {
        const field = nameOf(member)
        const isField = member.type === 'PropertyDefinition' && !member['static'] && !member['value']
        if (!isField || field === undefined || member['abstract'] || (member['declare'] && !isDirect)) {
          continue
        }
        // A type that allows `undefined` says what is read.
        if (!member['declare'] && !member['definite'] && allowsUndefined(member)) {
          continue
        }
        const written = writeDefault(names, member)
        const data = {
          field,
          entity: node['id']?.name ?? 'the entity',
          example: written ?? `${names.source.getText(member['key'])}: … = …`,
        }
        context.report({
          node: member,
          messageId: member['declare'] ? 'declared' : 'missing',
          data,
          suggest: written
            ? [
                {
                  messageId: 'suggestDefault',
                  data,
                  fix: (fixer) => fixer.replaceTextRange(declarationOf(names, member), written),
                },
              ]
            : [],
        })
      }
    }
    return { ClassDeclaration: check, ClassExpression: check }
  },
})

function allowsUndefined(member: Node): boolean {
  const type: Node | undefined = member['typeAnnotation']?.typeAnnotation
  const isUndefined = ({ type }: Node): boolean =>
    type === 'TSUndefinedKeyword' || type === 'TSUnknownKeyword' || type === 'TSAnyKeyword'
  return (
    !type || member['optional'] || isUndefined(type) || (type.type === 'TSUnionType' && type['types'].some(isUndefined))
  )
}

/** `id!: string` as it should be: `id = ''`. */
function writeDefault({ source }: Names, member: Node): string | undefined {
  const type: Node | undefined = member['typeAnnotation']?.typeAnnotation
  if (!type || member['computed']) {
    return undefined
  }
  const key = source.getText(member['key'])
  const text = source.getText(type as never)
  if (member['optional']) {
    return `${key}: ${text} | undefined = undefined`
  }
  if (type.type === 'TSUnionType') {
    const empty = ['undefined', 'null'].find((empty) => type['types'].some((one: Node) => OF_TYPES[one.type] === empty))
    return empty && `${key}: ${text} = ${empty}`
  }
  if (text === 'Date') {
    return `${key} = new Date(0)`
  }
  const value = OF_TYPES[type.type]
  const isInferred = ['TSStringKeyword', 'TSNumberKeyword', 'TSBooleanKeyword', 'TSBigIntKeyword'].includes(type.type)
  return value && (isInferred ? `${key} = ${value}` : `${key}: ${text} = ${value}`)
}

/** From `declare` or the name to the end, without modifiers before it and the semicolon behind it. */
function declarationOf({ source }: Names, member: Node): [number, number] {
  const keyword = member['declare'] ? /\bdeclare\s/.exec(source.text.slice(...member.range)) : undefined
  const start = keyword ? member.range[0] + keyword.index : member['key'].range[0]
  return [start, member['typeAnnotation'].range[1]]
}
