// Removes declarations of fields from the classes of a built module. No minifier may: it cannot know that no code reads a field
// before the constructor has set it.
import { parseSync } from 'vite'
import { visit } from './syntax.mjs'

/** Code that may not run, or runs later. */
const APART = /Function|Statement$|^(Conditional|Logical)Expression$|^Class/

/** The text of a built module without declarations of fields that the constructor sets in any case. Lines stay as they are. */
export function removeFields(file, text) {
  let result = text
  let offset = 0
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
        result = result.slice(0, start - offset) + result.slice(end - offset)
        offset += end - start
      }
    }
  })
  return result
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
