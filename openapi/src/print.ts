/** A piece of code that is laid out when it is printed: on one line if it fits, else on several. */
export type Doc = string | Group | Choice | Chain | readonly Doc[]

/** Members between brackets. */
interface Group {
  readonly kind: 'group'
  readonly open: string
  readonly close: string
  readonly items: readonly Item[]
  readonly separator: ',' | ';'
  /** `{ a }` and not `{a}`. */
  readonly isSpaced: boolean
}

/** `A | B`. */
interface Choice {
  readonly kind: 'choice'
  readonly options: readonly Doc[]
}

/** `a.b().c()`. */
interface Chain {
  readonly kind: 'chain'
  readonly calls: readonly Doc[]
}

export interface Item {
  readonly doc: Doc
  /** A doc comment above it. */
  readonly comment?: string | undefined
}

export const WIDTH = 120

/** `{ a: 1, b: 2 }`, of values. */
export function objectDoc(items: readonly (Doc | Item)[]): Doc {
  return group('{', items, '}', ',', true)
}

/** `{ a: string; b?: number }`, of types. */
export function typeLiteral(items: readonly (Doc | Item)[]): Doc {
  return group('{', items, '}', ';', true)
}

export function arrayDoc(items: readonly (Doc | Item)[]): Doc {
  return group('[', items, ']', ',', false)
}

/** `f(a, b)`; a single argument breaks inside its own brackets. */
export function callDoc(callee: string, items: readonly Doc[]): Doc {
  return items.length === 1 ? [`${callee}(`, items[0]!, ')'] : group(`${callee}(`, items, ')', ',', false)
}

/** Calls one after the other; several that do not fit get lines of their own. */
export function chainDoc(calls: readonly Doc[]): Doc {
  return calls.length > 2 ? { kind: 'chain', calls } : calls
}

/** A union of types. */
export function unionDoc(options: readonly Doc[]): Doc {
  // A choice in a choice is one.
  const all = options.flatMap((option) => (isChoice(option) ? option.options : [option]))
  const unique = [...new Map(all.map((option) => [flat(option) ?? print(option), option])).values()]
  if (unique.some((option) => option === 'unknown')) {
    return 'unknown'
  }
  return unique.length === 1 ? unique[0]! : { kind: 'choice', options: unique }
}

/** `T[]`, with brackets where the type needs them. */
export function arrayOf(type: Doc): Doc {
  return isChoice(type) || (typeof type === 'string' && /[ |&]/.test(type)) ? ['(', type, ')[]'] : [type, '[]']
}

function group(
  open: string,
  items: readonly (Doc | Item)[],
  close: string,
  separator: ',' | ';',
  isSpaced: boolean,
): Group {
  return { kind: 'group', open, close, items: items.map(toItem), separator, isSpaced }
}

function toItem(item: Doc | Item): Item {
  return typeof item === 'object' && 'doc' in item ? item : { doc: item }
}

function isChoice(doc: Doc): doc is Choice {
  return typeof doc === 'object' && 'kind' in doc && doc.kind === 'choice'
}

/** Prints code. `column`: how much stands before it on its line; `after`: how much follows. */
export function print(doc: Doc, indent = 0, column: number = indent, after = 0): string {
  const line = flat(doc)
  if (line !== undefined && column + line.length + after <= WIDTH) {
    return line
  }
  if (typeof doc === 'string') {
    return doc
  }
  if (!('kind' in doc)) {
    return printAll(doc, indent, column, after)
  }
  const pad = ' '.repeat(indent + 2)
  if (doc.kind === 'chain') {
    const [first, ...rest] = doc.calls
    const head = print(first!, indent, column)
    return head + rest.map((call) => `\n${pad}${print(call, indent + 2)}`).join('')
  }
  if (doc.kind === 'choice') {
    return doc.options.map((option) => `\n${pad}| ${print(option, indent + 4, indent + 4)}`).join('')
  }
  const separator = doc.separator === ',' ? ',' : ''
  const lines = doc.items.map(({ doc: item, comment }) => {
    const text = print(item, indent + 2, indent + 2, separator.length)
    return `${comment ? printComment(comment, indent + 2) : ''}${pad}${text}${separator}\n`
  })
  return `${doc.open}\n${lines.join('')}${' '.repeat(indent)}${doc.close}`
}

/** Pieces one after the other; the last that can be broken is, before the others are. */
function printAll(docs: readonly Doc[], indent: number, column: number, after: number): string {
  let text = ''
  for (const [index, doc] of docs.entries()) {
    const rest = docs.slice(index + 1)
    const following = rest.map((other) => firstLine(other)).join('')
    const start = text.includes('\n') ? text.length - text.lastIndexOf('\n') - 1 : column + text.length
    const isLast = rest.every((other) => typeof other === 'string')
    const next = print(doc, indent, start, following.length + (isLast ? after : 0))
    text = next.startsWith('\n') ? text.trimEnd() + next : text + next
  }
  return text
}

/** The part of a piece that has to stand on the line where it begins. */
function firstLine(doc: Doc): string {
  if (typeof doc === 'string') {
    return doc
  }
  if ('kind' in doc) {
    return doc.kind === 'group' ? doc.open : ''
  }
  return doc.length === 0 ? '' : firstLine(doc[0]!)
}

/** The code on one line, if it may be there: a comment needs a line of its own. */
function flat(doc: Doc): string | undefined {
  if (typeof doc === 'string') {
    return doc
  }
  if (!('kind' in doc)) {
    return join(doc.map(flat), '')
  }
  if (doc.kind === 'choice') {
    return join(doc.options.map(flat), ' | ')
  }
  if (doc.kind === 'chain') {
    return join(doc.calls.map(flat), '')
  }
  if (doc.items.some(({ comment }) => comment)) {
    return undefined
  }
  const inner = join(
    doc.items.map((item) => flat(item.doc)),
    `${doc.separator} `,
  )
  const space = doc.isSpaced && inner !== '' ? ' ' : ''
  return inner === undefined ? undefined : `${doc.open}${space}${inner}${space}${doc.close}`
}

function join(parts: readonly (string | undefined)[], separator: string): string | undefined {
  return parts.includes(undefined) || parts.some((part) => part!.includes('\n')) ? undefined : parts.join(separator)
}

/** A doc comment, with its lines wrapped. */
export function printComment(text: string, indent = 0): string {
  const pad = ' '.repeat(indent)
  const safe = text.replaceAll('*/', '*\\/').trim()
  if (!safe.includes('\n') && indent + safe.length + 7 <= WIDTH) {
    return `${pad}/** ${safe} */\n`
  }
  const lines = safe.split('\n').flatMap((line) => wrap(line, WIDTH - indent - 3))
  return `${pad}/**\n${lines.map((line) => `${pad} * ${line}`.trimEnd()).join('\n')}\n${pad} */\n`
}

function wrap(line: string, width: number): string[] {
  const lines = ['']
  for (const word of line.split(' ')) {
    const last = lines.at(-1)!
    if (last !== '' && last.length + word.length + 1 > width) {
      lines.push(word)
    } else {
      lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
    }
  }
  return lines
}

/** A literal in code. */
export function literal(value: unknown): string {
  return typeof value === 'string' ? quote(value) : (JSON.stringify(value) ?? 'undefined')
}

export function quote(text: string): string {
  const json = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return text.includes("'") && !text.includes('"') ? `"${json}"` : `'${json.replaceAll("'", "\\'")}'`
}

/** The name of a member, in quotes if it needs them. */
export function memberName(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : quote(name)
}

/** The member of a value: `.name` or `['a-b']`. */
export function access(name: string): string {
  return memberName(name) === name ? `.${name}` : `[${quote(name)}]`
}
