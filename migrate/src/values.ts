import type * as t from '@babel/types'
import { brief, Unconvertible } from './errors.ts'
import type { Ref, SourceFile } from './Project.ts'
import type { Binding, FunctionNode } from './syntax.ts'

/** A type that the app gave to a response. */
export interface TypeHint {
  readonly node: t.TSType
  readonly file: SourceFile
}

/** A request, as the code of the app describes it. */
export interface RequestRead {
  method: string
  url: Value
  /** An object, or undefined. */
  search: Value | undefined
  body: Value | undefined
  headers: readonly Entry[]
  credentials: string | undefined
  type: TypeHint | undefined
  /** The members of the response that lead to the value of the type. */
  typePath: readonly string[]
  /** The name of the function that sends it. */
  name: string | undefined
  lost: readonly Lost[]
}

/** Code of an interceptor that does not run for the converted requests. */
export interface Lost {
  readonly file: SourceFile
  readonly node: t.Node
}

/** A property of an object; without a name, a spread. */
export interface Entry {
  readonly name: string | undefined
  readonly value: Value
}

/** An expression, as far as it can be known without running it. */
export type Value =
  | { kind: 'literal'; value: string | number | boolean | null | undefined; ref?: Ref }
  | { kind: 'text'; parts: readonly Value[] }
  | { kind: 'object'; entries: Entry[]; node?: t.Node }
  | { kind: 'array'; items: readonly Value[] }
  | { kind: 'function'; node: FunctionNode; file: SourceFile; env: Env; name: string | undefined; ref?: Ref }
  /** An expression that only the app can evaluate. */
  | {
      kind: 'code'
      text: string
      file: SourceFile | undefined
      names: readonly string[]
      isLocal: boolean
      ref?: Ref
      node?: t.Node
      /** ` as Status`, in the module where it is written. */
      cast?: string
    }
  | { kind: 'rest'; of: Value; without: readonly string[] }
  | { kind: 'choice'; test: Value; yes: Value; no: Value }
  | { kind: 'json'; of: Value }
  | { kind: 'query'; entries: Entry[] }
  | { kind: 'url'; url: Value; query: Value & { kind: 'query' } }
  | { kind: 'external'; from: string; name: string }
  | {
      kind: 'client'
      library: 'axios' | 'ky'
      options: readonly Entry[]
      headers: readonly Entry[]
      unwraps: boolean
      lost: readonly Lost[]
    }
  | { kind: 'member'; of: Value; name: string }
  /** A promise of a response, or a response. */
  | { kind: 'response'; request: RequestRead; library: 'fetch' | 'axios' | 'ky' }
  /** The parsed body, or a member of it. */
  | { kind: 'result'; request: RequestRead; path: readonly string[] }

export type Env = ReadonlyMap<Binding, Value>

export const UNDEFINED: Value = { kind: 'literal', value: undefined }

export function literal(value: string | number | boolean | null | undefined): Value {
  return { kind: 'literal', value }
}

export function isMissing(value: Value | undefined): boolean {
  return value === undefined || (value.kind === 'literal' && value.value === undefined)
}

/** The string that a value certainly is. */
export function stringOf(value: Value | undefined): string | undefined {
  if (value?.kind === 'literal') {
    return typeof value.value === 'string' ? value.value : undefined
  }
  if (value?.kind === 'text') {
    const parts = value.parts.map(stringOf)
    return parts.includes(undefined) ? undefined : parts.join('')
  }
  return undefined
}

export function entryOf(value: Value | undefined, name: string): Value | undefined {
  if (value?.kind !== 'object') {
    return undefined
  }
  for (const entry of [...value.entries].reverse()) {
    if (entry.name === name) {
      return entry.value
    }
    if (entry.name === undefined) {
      const inner = entryOf(entry.value, name)
      if (inner) {
        return inner
      }
    }
  }
  return undefined
}

/** A member of a value. */
export function memberOf(value: Value, name: string): Value {
  switch (value.kind) {
    case 'object': {
      const found = entryOf(value, name)
      if (found) {
        return found
      }
      const spreads = value.entries.filter((entry) => entry.name === undefined)
      return spreads.length > 0 ? memberOf(spreads.at(-1)!.value, name) : UNDEFINED
    }
    case 'array':
      return /^\d+$/.test(name) ? (value.items[Number(name)] ?? UNDEFINED) : { kind: 'member', of: value, name }
    case 'result':
      if (name === 'length') {
        throw new Unconvertible('it computes something from the response (length)')
      }
      return { ...value, path: [...value.path, name] }
    case 'response':
      return value.library === 'axios' && name === 'data'
        ? { kind: 'result', request: value.request, path: [] }
        : { kind: 'member', of: value, name }
    case 'code': {
      const { cast = '', ...code } = value
      return { ...code, text: `${wrap(`${value.text}${cast}`)}.${name}` }
    }
    case 'rest':
      return memberOf(value.of, name)
    case 'choice':
      return { ...value, yes: memberOf(value.yes, name), no: memberOf(value.no, name) }
    case 'literal':
      return value.value == null ? UNDEFINED : { kind: 'member', of: value, name }
    default:
      return { kind: 'member', of: value, name }
  }
}

function wrap(text: string): string {
  return /^[\w$.!?]+$/.test(text) || /^[\w$.]+\([^()]*\)$/.test(text) ? text : `(${text})`
}

/** Where code is printed: in a module of the app, or (undefined) beside the endpoints, with the names that it needs. */
export interface Printing {
  readonly file: SourceFile | undefined
  readonly use?: (ref: Ref) => string
}

/** The code of a value. Throws if it cannot be written there. */
export function print(value: Value, at: Printing): string {
  switch (value.kind) {
    case 'literal':
      if (value.ref && value.ref.file === at.file) {
        return value.ref.name
      }
      return typeof value.value === 'string' ? quote(value.value) : String(value.value)
    case 'text':
      return `\`${value.parts
        .map((part) => {
          const text = stringOf(part)
          return text === undefined ? `\${${print(part, at)}}` : text.replaceAll(/[`\\]|\$\{/g, '\\$&')
        })
        .join('')}\``
    case 'object': {
      const parts = value.entries.map((entry) => printEntry(entry, at))
      return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
    }
    case 'array':
      return `[${value.items.map((item) => print(item, at)).join(', ')}]`
    case 'code': {
      if (value.file === undefined || value.file === at.file) {
        return `${value.text}${value.cast ?? ''}`
      }
      if (value.isLocal || !at.use) {
        throw new Unconvertible(`"${brief(value.text)}" is not known where the request is started`)
      }
      let { text } = value
      for (const name of value.names) {
        text = text.replaceAll(new RegExp(`(?<![\\w$.])${name}(?![\\w$])`, 'g'), at.use({ file: value.file, name }))
      }
      return text
    }
    case 'rest':
      return `(({ ${value.without.map((name) => `${name}: _${name}`).join(', ')}, ...rest }) => rest)(${print(value.of, at)})`
    case 'choice':
      return `${wrapChoice(print(value.test, at))} ? ${print(value.yes, at)} : ${print(value.no, at)}`
    case 'json':
      return `JSON.stringify(${print(value.of, at)})`
    case 'member':
      return `${print(value.of, at)}.${value.name}`
    case 'function':
      if (value.file === at.file && value.ref) {
        return value.ref.name
      }
      break
    default:
  }
  throw new Unconvertible('it computes what only the old code can compute')
}

function wrapChoice(text: string): string {
  return / \? |=>/.test(text) ? `(${text})` : text
}

export function printEntry({ name, value }: Entry, at: Printing): string {
  const code = print(value, at)
  if (name === undefined) {
    return `...${/^[\w$.]+$/.test(code) ? code : `(${code})`}`
  }
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
  return key === code ? key : `${key}: ${code}`
}

export function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
}
