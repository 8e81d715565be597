import { Unconvertible } from './errors.ts'
import { type Entry, entryOf, isMissing, literal, type RequestRead, stringOf, UNDEFINED, type Value } from './values.ts'

export function emptyRequest(): RequestRead {
  return {
    method: 'GET',
    url: UNDEFINED,
    search: undefined,
    body: undefined,
    headers: [],
    credentials: undefined,
    type: undefined,
    typePath: [],
    name: undefined,
    lost: [],
  }
}

export function clientOf(value: Value & { kind: 'external' }): (Value & { kind: 'client' }) | undefined {
  if (value.from !== 'axios' && value.from !== 'ky') {
    return undefined
  }
  return { kind: 'client', library: value.from, options: [], headers: [], unwraps: false, lost: [] }
}

export function fromFetch([url = UNDEFINED, init = UNDEFINED]: readonly Value[]): RequestRead {
  if (!isMissing(init) && init.kind !== 'object') {
    throw new Unconvertible('the options of fetch are not known')
  }
  return { ...emptyRequest(), url, ...readInit(init) }
}

function readInit(init: Value): Pick<RequestRead, 'method' | 'body' | 'headers' | 'credentials'> {
  const method = entryOf(init, 'method')
  const body = entryOf(init, 'body')
  const spreads = init.kind === 'object' ? init.entries.filter((entry) => entry.name === undefined) : []
  if (spreads.length > 0) {
    throw new Unconvertible('the options of fetch are not known')
  }
  return {
    method: methodOf(method),
    body: body && bodyOf(body),
    headers: headersOf(entryOf(init, 'headers')),
    credentials: stringOf(entryOf(init, 'credentials')),
  }
}

function methodOf(value: Value | undefined): string {
  if (isMissing(value)) {
    return 'GET'
  }
  const method = stringOf(value)
  if (method === undefined) {
    throw new Unconvertible('the method of the request is not known')
  }
  return method.toUpperCase()
}

function bodyOf(value: Value): Value | undefined {
  if (value.kind === 'choice') {
    const [yes, no] = [bodyOf(value.yes), bodyOf(value.no)]
    if (yes && no) {
      throw new Unconvertible('its body depends on a condition')
    }
    return yes ?? no
  }
  const isNothing = value.kind === 'literal' && (value.value == null || value.value === '')
  return value.kind === 'json' ? value.of : isNothing ? undefined : value
}

function headersOf(value: Value | undefined): readonly Entry[] {
  if (isMissing(value)) {
    return []
  }
  if (value!.kind === 'choice') {
    const { test, yes } = value
    return headersOf(yes).map((entry) => ({
      ...entry,
      value: { kind: 'choice', test, yes: entry.value, no: UNDEFINED },
    }))
  }
  if (value!.kind !== 'object') {
    throw new Unconvertible('the headers of the request are not known')
  }
  return value.entries
    .flatMap((entry) => (entry.name === undefined ? headersOf(entry.value) : [entry]))
    .filter((entry) => !/^(?:content-type|accept)$/i.test(entry.name!))
}

/** A request through axios or ky. */
export function send(client: Value & { kind: 'client' }, method: string | undefined, args: readonly Value[]): Value {
  const { library } = client
  const isBody = library === 'axios' && /^(?:post|put|patch)$/.test(method ?? '')
  const [first = UNDEFINED] = args
  const isConfig = first.kind === 'object' && (method === undefined || method === 'request')
  const config = isConfig ? first : ((isBody ? args[2] : args[1]) ?? UNDEFINED)
  if (!isMissing(config) && config.kind !== 'object') {
    throw new Unconvertible(`the options of ${library} are not known`)
  }
  const own = (name: string): Value | undefined =>
    entryOf(config, name) ?? entryOf({ kind: 'object', entries: [...client.options] }, name)
  if (own('hooks')) {
    throw new Unconvertible('ky is created with hooks: write a class for your API')
  }
  const url = isConfig ? (entryOf(first, 'url') ?? UNDEFINED) : first
  const base = own(library === 'axios' ? 'baseURL' : 'prefixUrl') ?? own('prefix')
  const search = own(library === 'axios' ? 'params' : 'searchParams')
  const body = isBody ? args[1] : own(library === 'axios' ? 'data' : 'json')
  const shared = entryOf({ kind: 'object', entries: [...client.options] }, 'headers')
  const request: RequestRead = {
    ...emptyRequest(),
    method: method === undefined || method === 'request' ? methodOf(own('method')) : method.toUpperCase(),
    url: base
      ? { kind: 'text', parts: [base, literal(startsWithSlash(url) || endsWithSlash(base) ? '' : '/'), url] }
      : url,
    search: isMissing(search)
      ? undefined
      : search!.kind === 'query'
        ? { kind: 'object', entries: search.entries }
        : search,
    body: isMissing(body) ? undefined : body,
    headers: [
      ...headersOf(shared),
      ...headersOf(entryOf(config, 'headers')),
      ...client.headers.filter((entry) => !/^content-type$/i.test(entry.name ?? '')),
    ],
    lost: client.lost,
    credentials: own('withCredentials') ? 'include' : stringOf(own('credentials')),
  }
  return client.unwraps ? { kind: 'result', request, path: [] } : { kind: 'response', library, request }
}

function firstText(value: Value): string {
  return value.kind === 'text'
    ? (value.parts.map(firstText).find((text) => text !== '') ?? '')
    : (stringOf(value) ?? '·')
}

function startsWithSlash(url: Value): boolean {
  return firstText(url).startsWith('/')
}

function endsWithSlash(base: Value): boolean {
  return stringOf(base)?.endsWith('/') ?? false
}
