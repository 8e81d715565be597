import type { Rule } from 'eslint'
import { nameOf, type Node, outerOf } from '../ast.ts'
import { createRule } from '../createRule.ts'
import { entityOf, kindOf } from '../records.ts'

/** A spread of a record has its fields, and none of the getters that its class declares. TypeScript does not notice. */
export const noRecordSpread: Rule.RuleModule = createRule({
  name: 'no-record-spread',
  description: 'Do not read getters from the spread of a record.',
  type: 'problem',
  hasSuggestions: true,
  messages: {
    spread:
      '`{{copy}}` is a spread of a record and lacks `{{getter}}`, a getter of {{entity}}. Use `{{entity}}.fromJS({ ...{{record}} })`, which keeps the class.',
    suggestFromJS: 'Wrap the object in `{{entity}}.fromJS()`.',
  },
  visit: (names, context) => ({
    SpreadElement(node) {
      const literal = node.parent
      const record: Node = node['argument']
      if (literal?.type !== 'ObjectExpression' || kindOf(names, record) !== 'stored') {
        return
      }
      const declarator = outerOf(literal).parent
      if (declarator?.type !== 'VariableDeclarator' || declarator['id'].type !== 'Identifier') {
        return
      }
      const entity = entityOf(names, record)
      const copy: Node = declarator['id']
      if (!entity?.['id'] || !names.declarationOf(copy)) {
        return
      }
      const getters = gettersOf(entity)
      for (const property of literal['properties']) {
        getters.delete(nameOf(property) ?? '')
      }
      const read = names
        .variableOf(copy)
        ?.references.map((reference) => (reference.identifier as Node).parent)
        .find((member) => member?.type === 'MemberExpression' && getters.has(nameOf(member) ?? ''))
      if (!read) {
        return
      }
      const data = {
        copy: copy['name'],
        getter: nameOf(read)!,
        entity: entity['id'].name,
        record: names.source.getText(record as never),
      }
      context.report({
        node: node,
        messageId: 'spread',
        data,
        suggest: [
          {
            messageId: 'suggestFromJS',
            data,
            fix: (fixer) => [
              fixer.insertTextBeforeRange(literal.range, `${data.entity}.fromJS(`),
              fixer.insertTextAfterRange(literal.range, ')'),
            ],
          },
        ],
      })
    },
  }),
})

function gettersOf(entity: Node): Set<string> {
  const members: Node[] = entity['body'].body
  const isGetter = (member: Node): boolean =>
    member.type === 'MethodDefinition' && member['kind'] === 'get' && !member['static']
  return new Set(members.filter(isGetter).map((member) => nameOf(member) ?? ''))
}
