// Makes `DEV` fold to `false` in the file that uses it.
import { parseSync } from 'vite'
import { applyEdits } from './edits.mjs'
import { findVariables } from './syntax.mjs'

// esbuild removes unused code before it knows the constants of other files, and Metro never knows them: a function that
// is only called behind `DEV` would stay. `DEV` comes first because it is false where `process` is missing.
const MODE = "(DEV ? process.env.NODE_ENV !== 'production' : false)"

/** The text of a module with every use of `DEV` replaced by `value`. */
export function foldDev(file, text, value = MODE) {
  return applyEdits(text, findDev(file, text, value))
}

/** The edits that replace every use of `DEV`. */
export function findDev(file, text, value = MODE) {
  if (!text.includes('DEV') || file.endsWith('base/env.js')) {
    return []
  }
  const { program } = parseSync(file, text)
  const uses = findVariables(program, 'DEV').filter(({ parent }) => parent.type !== 'ImportSpecifier')
  // The parameter of a type is erased, and hides nothing; nor does a declaration of the global one.
  const hides = ({ node, parent: { type } }) =>
    type !== 'MemberExpression' && !type.startsWith('TS') && !text.slice(0, node.start).endsWith('declare const ')
  if (uses.length > 0 && findVariables(program, 'process').some(hides)) {
    throw new Error(`${file} uses DEV and has a variable called "process". Rename it: it hides the global one.`)
  }
  return uses.map(({ node: { start, end } }) => ({ start, end, text: value }))
}
