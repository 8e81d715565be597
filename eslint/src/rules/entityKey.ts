import type { Rule } from 'eslint'
import { findAround, isClass, nameOf, type Node } from '../ast.ts'
import { createRule } from '../createRule.ts'
import { isBaseOfEntities } from '../entities.ts'
import type { Names } from '../Names.ts'

/** Minifiers change the names of classes, and the name is the key of an Entity that declares none. */
export const entityKey: Rule.RuleModule = createRule({
  name: 'entity-key',
  description: 'Declare `static key` in each Entity.',
  type: 'problem',
  fixable: true,
  hasSuggestions: true,
  messages: {
    missing:
      '{{entity}} has no `static key`. Its key is the name of the class, which a minifier changes: two classes may get the same one, and saved data is not found. Add `{{line}}`.',
    suggestKey: 'Add `{{line}}`.',
  },
  visit(names, context) {
    const check = (node: Node): void => {
      const id: Node | undefined = node['id'] ?? (node.parent?.type === 'VariableDeclarator' && node.parent['id'])
      if (!id || !isBaseOfEntities(names.baseOf(node)) || node['abstract'] || hasKey(names, node)) {
        return
      }
      const uses = usesOf(names, node)
      // A class that has no fields, or that others extend, declares what those share.
      const isShared = uses.some((use) => use.parent && isClass(use.parent) && use.parent['superClass'] === use)
      const hasFields = node['body'].body.some(
        (member: Node) => member.type === 'PropertyDefinition' && !member['static'],
      )
      if (isShared || !hasFields) {
        return
      }
      const override = /\.[cm]?tsx?$|\.vue$/.test(context.filename) ? 'override ' : ''
      const data = { entity: id['name'], line: `static ${override}key = '${id['name']}'` }
      const fix: Rule.ReportFixer = (fixer) => insertMember(names, node, data.line, fixer)
      // As long as the class is a schema here, it is no base of classes elsewhere that would inherit the key.
      const isSchema = uses.some(
        (use) => !!findAround(use, (around) => around.type === 'Property' && nameOf(around) === 'schema'),
      )
      context.report({
        node: id,
        messageId: 'missing',
        data,
        ...(isSchema ? { fix } : { suggest: [{ messageId: 'suggestKey', data, fix }] }),
      })
    }
    return { ClassDeclaration: check, ClassExpression: check }
  },
})

/** The key may also be declared by a class above, by a static block, or by an assignment after the class. */
function hasKey(names: Names, node: Node, depth = 0): boolean {
  const declares = node['body'].body.some(
    (member: Node) => member.type === 'StaticBlock' || (member['static'] && nameOf(member) === 'key'),
  )
  const isAssigned = usesOf(names, node).some(
    ({ parent }) =>
      parent?.type === 'MemberExpression' && nameOf(parent) === 'key' && parent.parent?.type === 'AssignmentExpression',
  )
  const superClass: Node = node['superClass']
  const above = superClass.type === 'Identifier' && depth < 9 ? names.classOf(superClass) : undefined
  return declares || isAssigned || (!!above?.['superClass'] && hasKey(names, above, depth + 1))
}

/** Where the file names a class. A declaration has a second variable, for the code inside it. */
function usesOf({ source }: Names, node: Node): Node[] {
  const declared = node['id'] ? node : node.parent
  const variables = declared ? source.getDeclaredVariables(declared as never) : []
  return variables.flatMap(({ references }) => references.map(({ identifier }) => identifier as Node))
}

/** Behind the last field, where the examples of the documentation have it. */
function insertMember({ source }: Names, node: Node, line: string, fixer: Rule.RuleFixer): Rule.Fix {
  const members: Node[] = node['body'].body
  const last = members.findLast((member) => member.type === 'PropertyDefinition' && !member['static'])!
  const before = source.text.slice(0, last.range[0])
  const indent = /(?:^|\n)([\t ]*)$/.exec(before)?.[1]
  const semicolon = source.text[last.range[1] - 1] === ';' ? ';' : ''
  return fixer.insertTextAfterRange(last.range, indent === undefined ? `; ${line};` : `\n${indent}${line}${semicolon}`)
}
