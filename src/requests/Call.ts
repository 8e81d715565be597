import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { formObject } from '../endpoint/sent.ts'

/** An endpoint with the arguments it is called with. */
export interface Call {
  readonly endpoint: EndpointInterface
  readonly args: readonly any[]
  /** The arguments, with forms as plain objects: lists compare them. */
  readonly plain: readonly any[]
  /** Identifies the result. */
  readonly key: string
  /** Identifies the request: pages of one list share the key of the list and differ in this. */
  readonly name: string
  /** Its response is only a further page of the list under its key. */
  readonly isPage: boolean
}

export function callOf(endpoint: EndpointInterface, args: readonly any[]): Call {
  const plain = plainArgs(args)
  const key = endpoint.key(...plain)
  // Only pages have a key of their own, and it takes time to build a URL.
  const isOwn = endpoint.requestKey !== undefined && endpoint.requestKey !== endpoint.key
  const name = isOwn ? endpoint.requestKey!(...plain) : key
  return { endpoint, args, plain, key, name, isPage: 'isPage' in endpoint }
}

/** Arguments as lists can match them: forms as plain objects. */
export function plainArgs(args: readonly any[]): readonly any[] {
  return typeof FormData === 'function' && args.some((arg) => arg instanceof FormData)
    ? args.map((arg: unknown) => (arg instanceof FormData ? formObject(arg) : arg))
    : args
}

export function pathOf(endpoint: EndpointInterface): string | undefined {
  const named = endpoint as { path?: string; name?: string }
  return named.path ?? named.name
}
