import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { readComponentName } from './componentName.ts'

/** Throws where a component has something else than an endpoint: a misspelt name, a whole resource, the class of a record. */
export function checkEndpoint(given: unknown): void {
  if (DEV && typeof (given as { key?: unknown } | undefined)?.key !== 'function') {
    refuse(given, 'an endpoint')
  }
}

/** Throws where a component has nothing that a store can be read by. */
export function checkReadable(given: unknown): void {
  if (DEV && Object(given) !== given) {
    refuse(given, 'a schema or an endpoint')
  }
}

function refuse(given: unknown, wanted: string): never {
  const { get } = Object(given) as { get?: unknown }
  const isResource = typeof get === 'function' && 'key' in get
  const what = isResource ? 'a resource' : nameOf(given)
  const advice = isResource
    ? 'Pass one of its endpoints, such as "get" or "getList".'
    : typeof given === 'function'
      ? 'Pass an endpoint, such as "get" of a resource; what is in the store already is read by a query.'
      : 'Is its name right, and do modules import each other in a circle?'
  throw fail(
    'endpoint-expected',
    what,
    DEV && `${readComponentName() ?? 'A component'} was given ${what}, and needs ${wanted}. ${advice}`,
    TypeError,
  )
}

function nameOf(given: unknown): string {
  if (typeof given === 'function') {
    return `${'prototype' in given && 'pk' in Object(given.prototype) ? 'the class' : 'the function'} ${given.name}`
  }
  return Object(given) === given ? 'an object' : (JSON.stringify(given) ?? 'undefined')
}
