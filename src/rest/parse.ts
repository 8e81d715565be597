import { DEV } from '../base/env.ts'
import { parseOther, refuse } from '../endpoint/failure.ts'
import { asTransport } from '../endpoint/transport.ts'
import { NetworkError } from './NetworkError.ts'

/** Types whose body is one JSON document; a sequence of documents is text. */
const JSON_TYPE = /\bjson\b(?!-seq)/

/** The signals that may abort reading a response; `parseResponse` receives only the response. */
export const signals: WeakMap<Response, AbortSignal | null | undefined> = /* @__PURE__ */ new WeakMap()

/** The members of an endpoint that parsing uses. */
interface Parser {
  readonly name: string
  readonly path: string
  readonly method: string
  readonly content?: string | undefined
  readonly schema?: any
}

/** The default of `parseResponse`. `reshapes`: the endpoint has a `process` of its own, which may take any text. */
export async function parse(endpoint: Parser, response: Response, reshapes: boolean): Promise<unknown> {
  const { content, schema, method } = endpoint
  const { headers, status } = response
  const type = (headers.get('content-type') ?? '').toLowerCase().split(';')[0]!
  const subject = (): string => `${method} ${response.url || endpoint.name}`

  const read = async (kind: string, from: any = response): Promise<any> => {
    try {
      return await from[kind]()
    } catch (error) {
      throw asTransport(error, subject(), signals.get(response))
    }
  }
  const failed = (body?: string): NetworkError => new NetworkError(response, response.url, method, body)

  if (status === 204) {
    return null
  }
  if (content && content !== 'json') {
    if (DEV && schema) {
      throw refuse(failed(), 'response-content', subject(), describeContent(endpoint))
    }
    return content === 'stream' ? response.body : read(content)
  }
  if (content || JSON_TYPE.test(type)) {
    const text: string = await read('text')
    try {
      return text ? JSON.parse(text) : null
    } catch (error) {
      throw Object.assign(error as SyntaxError, { status: 400, refused: true, response })
    }
  }
  const strict = schema && typeof schema !== 'string' && !reshapes
  // A rejected response stays unread, so that the app can read it.
  const readAs = (kind: string): Promise<any> => read(kind, strict ? response.clone() : response)
  const text: string | undefined = type ? undefined : await readAs('text')
  // Many responses without a body have no type either.
  if (text === '' || (text && !strict)) {
    return text || null
  }
  return parseOther(type, text, readAs, strict ? endpoint : undefined, subject(), failed)
}

/** Why a schema and a `content` that holds no JSON exclude each other; `false` where they do not meet. */
export function describeContent({
  path,
  content,
  schema,
}: Pick<Parser, 'path' | 'content' | 'schema'>): string | false {
  return (
    DEV &&
    !!schema &&
    !!content &&
    content !== 'json' &&
    `"${path}" has content "${content}", which is incompatible with schema: it holds no JSON. Use "schema: undefined".`
  )
}
