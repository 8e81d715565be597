/** A piece of code that is laid out when it is printed: on one line if it fits, else on several. */
export type Doc = string | Group | Choice | ChoiceList | Chain | Call | Tail | readonly Doc[]

/** Members between brackets. */
interface Group {
  readonly kind: 'group'
  readonly open: string
  readonly close: string
  readonly items: readonly Item[]
  readonly separator: ',' | ';'
  /** A comma also after the last one, if each has a line. */
  readonly hasLastComma: boolean
  /** `{ a }` and not `{a}`. */
  readonly isSpaced: boolean
}

/** `A | B`. */
interface Choice {
  readonly kind: 'choice'
  readonly options: readonly Doc[]
}

/** `(A | B)[]`. */
interface ChoiceList {
  readonly kind: 'choices'
  readonly choice: Choice
}

/** `f(a, b)`. */
interface Call {
  readonly kind: 'call'
  readonly callee: string
  readonly args: readonly Doc[]
}

/** Something short after a piece of code, which goes to the next line if there is no room: ` = value`, `.member`. */
interface Tail {
  readonly kind: 'tail'
  readonly head: Doc
  readonly text: Doc
  /** The part that stays on the line: ` =`. */
  readonly sign: string
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

/** `f(a, b)`. */
export function callDoc(callee: string, args: readonly Doc[]): Doc {
  return { kind: 'call', callee, args }
}

/** `Record<string, T>`. */
export function recordDoc(type: Doc): Doc {
  return typeArguments('Record', ['string', type])
}

/** `Name<A, B>`. */
export function typeArguments(name: string, types: readonly Doc[]): Doc {
  return { ...group(`${name}<`, types, '>', ',', false), hasLastComma: false }
}

/** `name: T = value`. */
export function defaultDoc(head: Doc, value: string): Doc {
  return { kind: 'tail', head, text: value, sign: ' =' }
}

/** `(a, b) => value`. */
export function arrowDoc(params: string, value: Doc): Doc {
  return { kind: 'tail', head: params, text: value, sign: ' =>' }
}

/** `value.member`. */
export function memberOf(head: Doc, name: string): Doc {
  return { kind: 'tail', head, text: access(name), sign: '' }
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
  if (isChoice(type)) {
    return { kind: 'choices', choice: type }
  }
  const isJoined = typeof type === 'string' ? /[|&]/.test(type) : Array.isArray(type) && type.includes(' & ')
  return isJoined ? ['(', type, ')[]'] : [type, '[]']
}

function group(
  open: string,
  items: readonly (Doc | Item)[],
  close: string,
  separator: ',' | ';',
  isSpaced: boolean,
): Group {
  return { kind: 'group', open, close, items: items.map(toItem), separator, isSpaced, hasLastComma: separator === ',' }
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
    const object = objectOrNull(doc)
    return object
      ? `${print(object, indent, column)} | null`
      : doc.options.map((option) => `\n${pad}| ${print(option, indent + 4)}`).join('')
  }
  if (doc.kind === 'choices') {
    const inner = print(doc.choice, indent, column + 1)
    return `(${inner}${inner.startsWith('\n') ? `\n${' '.repeat(indent)}` : ''})[]`
  }
  if (doc.kind === 'tail') {
    return printTail(doc, indent, column, after)
  }
  return doc.kind === 'call' ? printCall(doc, indent, column) : printGroup(doc, indent)
}

function printGroup({ open, close, items, separator, hasLastComma }: Group, indent: number): string {
  const [only] = items
  // An object type that is the only argument needs no line of its own.
  if (open.endsWith('<') && items.length === 1 && isGroup(only!.doc) && only!.doc.open === '{' && !only!.comment) {
    return `${open}${print(only!.doc, indent, WIDTH)}${close}`
  }
  const pad = ' '.repeat(indent + 2)
  const comma = separator === ',' ? ',' : ''
  const lines = items.map(({ doc, comment }, index) => {
    const end = hasLastComma || index < items.length - 1 ? comma : ''
    // The options of a choice stand where the item would.
    const text = print(doc, indent + 2, indent + 2, end.length)
    const item = text.startsWith('\n') ? print(doc, indent, WIDTH).trimStart() : text
    return `${comment ? printComment(comment, indent + 2) : ''}${pad}${item}${end}\n`
  })
  return `${open}\n${lines.join('')}${' '.repeat(indent)}${close}`
}

function isGroup(doc: Doc): doc is Group {
  return typeof doc === 'object' && 'kind' in doc && doc.kind === 'group'
}

/** Only an object or array at the end is broken, if all else fits. */
function printCall({ callee, args }: Call, indent: number, column: number): string {
  const last = args.at(-1)!
  const before = join(args.slice(0, -1).map(flat), ', ')
  const head = `${callee}(${before}${args.length > 1 ? ', ' : ''}`
  const isOpen = typeof last === 'object' && 'kind' in last && last.kind === 'group'
  return isOpen && before !== undefined && column + head.length < WIDTH
    ? `${head}${print(last, indent, WIDTH)})`
    : printGroup(group(`${callee}(`, args, ')', ',', false), indent)
}

function printTail({ head, text, sign }: Tail, indent: number, column: number, after: number): string {
  const line = flat(head)
  const isFree = line !== undefined && column + line.length + sign.length <= WIDTH
  if (isFree) {
    return `${line}${sign}\n${' '.repeat(indent + 2)}${print(text, indent + 2, indent + 2, after)}`
  }
  const rest = print(text, indent)
  return `${print(head, indent, column, after + sign.length + rest.length)}${sign}${sign && ' '}${rest}`
}

/** The object of `{ a: A } | null`, which is written like the object alone. */
function objectOrNull({ options }: Choice): Group | undefined {
  const [first, second] = options
  const isObject = typeof first === 'object' && 'kind' in first && first.kind === 'group' && first.open === '{'
  return isObject && options.length === 2 && second === 'null' ? first : undefined
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
  if (!('kind' in doc)) {
    return doc.length === 0 ? '' : firstLine(doc[0]!)
  }
  switch (doc.kind) {
    case 'group':
      return doc.open
    case 'choices':
      return '('
    case 'call':
      return `${doc.callee}(`
    case 'tail':
      return firstLine(doc.head)
    default:
      return ''
  }
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
  if (doc.kind === 'choices') {
    return join(['(', flat(doc.choice), ')[]'], '')
  }
  if (doc.kind === 'call') {
    return join([`${doc.callee}(`, join(doc.args.map(flat), ', '), ')'], '')
  }
  if (doc.kind === 'tail') {
    return join([flat(doc.head), doc.sign, doc.sign && ' ', flat(doc.text)], '')
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
