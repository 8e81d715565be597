import { compile } from '../path/compile.ts'
import { fieldNames } from '../rest/fieldErrors.ts'
import { NetworkError } from '../rest/NetworkError.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { RestEndpointClass, RestEndpointConstructor } from '../rest/RestInstance.ts'
import type { RestGenerics } from '../rest/RestOptions.ts'
import { put } from '../base/equal.ts'
import { sortedPairs } from '../base/stableKey.ts'
import { writeSearch } from '../rest/search.ts'
import { putBeside } from './besideList.ts'
import { type Casing, type CasingOptions, createCasing } from './casing.ts'
import { type Envelope, unwrap } from './unwrap.ts'
import { type BodyEnvelope, wrapBody } from './wrapBody.ts'

/** The manners of a server. */
export interface AdaptOptions {
  /** Names on the server: `due_at` there is `dueAt` here. */
  readonly casing?: 'snake' | CasingOptions | undefined
  /** How the server wraps records and lists. */
  readonly envelope?: Envelope | undefined
  /** How the server wants the body of a request. */
  readonly bodyEnvelope?: BodyEnvelope | undefined
  /** Headers of a list whose values stand beside it: `{ total: 'X-Total-Count', next: 'Link' }`. */
  readonly listHeaders?: { readonly [member: string]: string } | undefined
  /** How lists of values are written in a query: `id=3&id=4`, or `id[]=3&id[]=4`. By default they are one text, `id=3,4`. */
  readonly arrays?: 'repeat' | 'brackets' | undefined
  /** Query parameters of each request; arguments of the same name win. */
  readonly constants?: { readonly [name: string]: string | number | boolean } | undefined
}

/**
 * Makes the endpoint class of an API that writes names in another way, or wraps its responses.
 *
 * @example
 * const Api = adaptEndpoint({ casing: 'snake', envelope: 'data' })
 * const Users = resource({ urlPrefix: 'https://api.test', path: '/users/:id', schema: User, Endpoint: Api })
 * @see docs/api/adaptEndpoint.md
 */
export function adaptEndpoint(options: AdaptOptions): RestEndpointConstructor
export function adaptEndpoint<E extends RestEndpointClass>(options: AdaptOptions, Endpoint: E): E
export function adaptEndpoint(
  { casing, envelope, bodyEnvelope, listHeaders, arrays, constants }: AdaptOptions,
  Base: RestEndpointClass = RestEndpoint,
): unknown {
  const names = casing && createCasing(typeof casing === 'string' ? {} : casing)
  const toApp = (value: unknown): unknown => (names ? names.rename(value, names.toApp) : value)

  class AdaptedEndpoint<O extends RestGenerics = any> extends (Base as RestEndpointConstructor)<O> {
    // Here and not in `searchToString`, so that an endpoint can have its own.
    override url(...args: any): string {
      const [params, ...more] = args as [unknown, ...unknown[]]
      const renamed = names ? renameSearch(names, this.path, params) : params
      return super.url(...([constants ? addConstants(constants, this.path, renamed) : renamed, ...more] as any))
    }

    override searchToString(params: any): string {
      return arrays
        ? writeSearch(sortedPairs(params).flatMap((pair) => repeat(pair, arrays)))
        : super.searchToString(params)
    }

    override getRequestInit(body?: any): RequestInit | Promise<RequestInit> {
      const renamed: unknown = names ? names.rename(body, names.toServer) : body
      const toServer = names?.toServer ?? String
      return super.getRequestInit(bodyEnvelope ? wrapBody(renamed, bodyEnvelope, this.schema, toServer) : renamed)
    }

    override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
      try {
        return await super.fetchResponse(url, init)
      } catch (error) {
        if (names && error instanceof NetworkError) {
          error.body = toApp(error.body)
          fieldNames.set(error, names.toApp)
        }
        throw error
      }
    }

    override async parseResponse(response: Response): Promise<any> {
      const body = toApp(await super.parseResponse(response))
      const content = envelope ? unwrap(body, envelope, this.schema) : body
      return listHeaders ? putBeside(content, response, listHeaders, this.schema) : content
    }
  }
  return AdaptedEndpoint
}

/** The parameters of a call, with those of each request. Parameters of the path are no query. */
function addConstants(constants: object, path: string, params: unknown): unknown {
  if (typeof params !== 'object' && params !== undefined) {
    return params
  }
  const { names } = compile(path)
  const given = Object.entries(params ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries([...Object.entries(constants).filter(([name]) => !names.has(name)), ...given])
}

/** One pair for each item of a list. */
function repeat([name, value]: [string, any], style: 'repeat' | 'brackets'): [string, any][] {
  const key = style === 'brackets' ? `${name}[]` : name
  return Array.isArray(value) ? value.map((item) => [key, item]) : [[name, value]]
}

/** Parameters of the path have the names of the template. */
function renameSearch({ toServer, rename }: Casing, path: string, params: unknown): unknown {
  if (typeof params !== 'object' || params === null) {
    return params
  }
  const { names } = compile(path)
  const renamed = {}
  for (const [name, value] of Object.entries(params)) {
    put(renamed, names.has(name) ? name : toServer(name), names.has(name) ? value : rename(value, toServer))
  }
  return renamed
}
