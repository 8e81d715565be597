// Shortens the names of members that only the library itself uses. No minifier may do that, because it cannot know who else
// uses a member. The list is scripts/internalNames.txt; scripts/names.mjs says which names may be on it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { readPublicNames } from './publicNames.mjs'
import { visit } from './syntax.mjs'

export const LIST = 'scripts/internalNames.txt'
// Those that minifiers use most for variables, the most frequent first: text that repeats compresses well.
const LETTERS = 'etnriaoscludfpmhgvybxSCwTEDkOAIPBjMRLN'.split('')
const OWNERS = new Set(['MethodDefinition', 'PropertyDefinition', 'AccessorProperty', 'Property'])

/** The names of the list: one a line, without those that are commented out. */
export function readInternalNames() {
  return readFileSync(LIST, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** The built modules of a folder. */
export function readBuilt(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ file: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }))
}

/** Why a name cannot be shortened, as the built modules and declarations show it. scripts/names.mjs asks the compiler, too. */
export function refuseNames(names, { members, texts }) {
  const { members: seen } = readPublicNames()
  const refused = new Map()
  for (const name of names) {
    if (!members.has(name)) {
      refused.set(name, 'is no longer the name of a member')
    } else if (seen.has(name)) {
      refused.set(name, 'is a member in the declarations that users see')
    } else if (texts.has(name)) {
      refused.set(name, `is a string in ${texts.get(name)}, which may stand for the member`)
    }
  }
  return refused
}

/** The members and texts of built modules. `members` has how often each name occurs. */
export function readMembers(modules) {
  const members = new Map()
  const texts = new Map()
  for (const { file, text } of modules) {
    visit(parseSync(file, text).program, (node, parent, key) => {
      if (isMember(node, parent, key)) {
        members.set(node.name, (members.get(node.name) ?? 0) + 1)
      }
      const literal = node.type === 'TemplateElement' ? node.value.cooked : node.type === 'Literal' && node.value
      if (typeof literal === 'string') {
        texts.set(literal, file)
      }
    })
  }
  return { members, texts }
}

/** Short names, the same in every module. No other member is called so: an object may have both. */
export function chooseShortNames(names, members) {
  const taken = new Set([...members.keys()].filter((name) => !names.includes(name)))
  const pairs = LETTERS.slice(0, 20).flatMap((first) => LETTERS.slice(0, 10).map((second) => first + second))
  const free = [...LETTERS, ...pairs].filter((candidate) => !taken.has(candidate))
  const byUse = names.toSorted((a, b) => members.get(b) - members.get(a) || (a < b ? -1 : 1))
  return new Map(byUse.map((name, at) => [name, free[at] ?? name]))
}

/**
 * The text of a built module with short names. Lines stay as they are. A comment has the long name where a module uses it first, and
 * at each definition, so that a module in node_modules can be read.
 */
export function shorten(file, text, short) {
  const edits = []
  visit(parseSync(file, text).program, (node, parent, key) => {
    if (isMember(node, parent, key) && short.has(node.name)) {
      edits.push({ node, isShorthand: parent.shorthand === true, isDefinition: parent.type.endsWith('Definition') })
    }
  })
  const told = new Set()
  let result = ''
  let end = 0
  for (const { node, isShorthand, isDefinition } of edits.toSorted((a, b) => a.node.start - b.node.start)) {
    const note = isDefinition || (!isShorthand && !told.has(node.name)) ? ` /* ${node.name} */` : ''
    told.add(node.name)
    result += text.slice(end, node.start) + short.get(node.name) + (isShorthand ? `: ${node.name}` : note)
    end = node.end
  }
  return result + text.slice(end)
}

function isMember(node, parent, key) {
  if (node.type !== 'Identifier' || parent?.computed) {
    return false
  }
  return key === 'property' ? parent.type === 'MemberExpression' : key === 'key' && OWNERS.has(parent.type)
}
