import type { Config } from './config.ts'
import { singularName } from './names.ts'
import type { Operation } from './readOperations.ts'

export function isParam(segment: string | undefined): boolean {
  return segment !== undefined && /^\{[^{}]+\}$/.test(segment)
}

/** The path of the collection that an item is in. */
export function collectionOf({ place }: Operation): string {
  return place.slice(0, place.lastIndexOf('/'))
}

/** The subject of a path: `user` of `/orgs/{org}/users`. */
export function subjectOf(path: string): string {
  const segment = path.split('/').findLast((part) => part !== '' && !isParam(part)) ?? 'item'
  return singularName(segment.replaceAll(/[{}]/g, '-'))
}

/** The envelope that the configuration gives to an operation. */
export function envelopeOf(operation: Operation, config: Config): string | false | undefined {
  return operationConfig(operation, config).envelope ?? config.envelope
}

export function operationConfig(
  { id, operationId }: Operation,
  { operations = {} }: Config,
): Exclude<NonNullable<Config['operations']>[string], false> {
  const own = (operationId === undefined ? undefined : operations[operationId]) ?? operations[id]
  return own || {}
}

/** The parameter at the end of a path. */
export function lastParam({ place }: Operation): string {
  return place.slice(place.lastIndexOf('/') + 2, -1)
}
