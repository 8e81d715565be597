// Makes `DEV` fold to `false` in the file that uses it.
import { parseSync } from 'vite'
import { findVariables } from './syntax.mjs'

// esbuild removes unused code before it knows the constants of other files, and Metro never knows them: a function that
// is only called behind `DEV` would stay. `DEV` comes first because it is false where `process` is missing.
const MODE = "(DEV ? process.env.NODE_ENV !== 'production' : false)"

/** The text of a built module with every use of `DEV` replaced by `value`. */
export function foldDev(file, text, value = MODE) {
  if (!text.includes('DEV') || file.endsWith('base/env.js')) {
    return text
  }
  const { program } = parseSync(file, text)
  const uses = findVariables(program, 'DEV').filter(({ parent }) => parent.type !== 'ImportSpecifier')
  // The parameter of a type is erased, and hides nothing; nor does a declaration of the global one.
  const hides = ({ node, parent: { type } }) =>
    type !== 'MemberExpression' && !type.startsWith('TS') && !text.slice(0, node.start).endsWith('declare const ')
  if (uses.length > 0 && findVariables(program, 'process').some(hides)) {
    throw new Error(`${file} uses DEV and has a variable called "process". Rename it: it hides the global one.`)
  }
  let folded = text
  for (const { node } of uses.toSorted((a, b) => b.node.start - a.node.start)) {
    folded = folded.slice(0, node.start) + value + folded.slice(node.end)
  }
  return folded
}
