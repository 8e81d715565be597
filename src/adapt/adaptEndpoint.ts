import { compile } from '../path/compile.ts'
import { fieldNames } from '../rest/fieldErrors.ts'
import { NetworkError } from '../rest/NetworkError.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { RestEndpointClass, RestEndpointConstructor } from '../rest/RestInstance.ts'
import type { RestGenerics } from '../rest/RestOptions.ts'
import { put } from '../base/equal.ts'
import { type Casing, type CasingOptions, createCasing } from './casing.ts'
import { type Envelope, unwrap } from './unwrap.ts'

/** The manners of a server. */
export interface AdaptOptions {
  /** Names on the server: `due_at` there is `dueAt` here. */
  readonly casing?: 'snake' | CasingOptions | undefined
  /** How the server wraps records and lists. */
  readonly envelope?: Envelope | undefined
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
export function adaptEndpoint({ casing, envelope }: AdaptOptions, Base: RestEndpointClass = RestEndpoint): unknown {
  const names = casing && createCasing(typeof casing === 'string' ? {} : casing)
  const toApp = (value: unknown): unknown => (names ? names.rename(value, names.toApp) : value)

  class AdaptedEndpoint<O extends RestGenerics = any> extends (Base as RestEndpointConstructor)<O> {
    // Here and not in `searchToString`, so that an endpoint can have its own.
    override url(...args: any): string {
      const [params, ...more] = args as [unknown, ...unknown[]]
      return super.url(...([names ? renameSearch(names, this.path, params) : params, ...more] as any))
    }

    override getRequestInit(body?: any): RequestInit | Promise<RequestInit> {
      return super.getRequestInit(names ? names.rename(body, names.toServer) : body)
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
      return envelope ? unwrap(body, envelope, this.schema) : body
    }
  }
  return AdaptedEndpoint
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
