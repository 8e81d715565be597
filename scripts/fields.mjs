// Removes declarations of fields from the classes of a built module. No minifier may: it cannot know that no code reads a field
// before the constructor has set it.
import { parseSync } from 'vite'
import { visit } from './syntax.mjs'

/** Code that may not run, or runs later. */
const APART = /Function|Statement$|^(Conditional|Logical)Expression$|^Class/

/** The edits that remove declarations of fields that the constructor of their class sets in any case. */
export function findFields(file, text) {
  const edits = []
  visit(parseSync(file, text).program, (node, parent) => {
    // The member of a parent class may be an accessor, which the declaration hides.
    if (node.type !== 'ClassBody' || parent.superClass) {
      return
    }
    const set = namesSetBy(node.body.find(({ kind }) => kind === 'constructor'))
    for (const { type, key, value, computed, static: isStatic, start, end } of node.body) {
      if (
        type === 'PropertyDefinition' &&
        value === null &&
        !computed &&
        !isStatic &&
        set.has(key.name) &&
        text[start] !== '#'
      ) {
        edits.push({ start, end, text: '' })
      }
    }
  })
  return edits
}

/** The members that a constructor assigns, whatever happens. */
function namesSetBy(constructor) {
  const names = new Set()
  const look = (node) => {
    if (Array.isArray(node)) {
      node.forEach(look)
    } else if (node && typeof node === 'object') {
      const { type, operator, left } = node
      if (
        type === 'AssignmentExpression' &&
        operator === '=' &&
        left.object?.type === 'ThisExpression' &&
        !left.computed
      ) {
        names.add(left.property.name)
      }
      if (type === 'ExpressionStatement' || !APART.test(type)) {
        Object.values(node).forEach(look)
      }
    }
  }
  look(constructor?.value.body.body)
  return names
}
