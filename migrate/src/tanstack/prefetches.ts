import { addController } from '../addController.ts'
import type { Use } from '../Api.ts'
import { Unconvertible } from '../errors.ts'
import { Evaluator } from '../evaluate.ts'
import type { Pass } from '../Pass.ts'
import { entryOf, UNDEFINED } from '../values.ts'
import type { ClientCall } from './findClientCalls.ts'
import { readOptions } from './options.ts'
import { targetsOf } from './targets.ts'

/** A call that fetches in advance, and the request that it sends. */
export interface Prefetch {
  readonly call: ClientCall
  readonly use: Use
}

export function readPrefetches(pass: Pass, clientCalls: readonly ClientCall[]): Prefetch[] {
  return clientCalls.flatMap((call): Prefetch[] => {
    if (!/^(?:prefetchQuery|fetchQuery|ensureQueryData)$/.test(call.method) || call.client.scope.path.isProgram()) {
      return []
    }
    const use = pass.attempt(call.file, call.path.node, () => {
      const [other] = targetsOf(pass, call, []).others
      if (other !== undefined) {
        throw new Unconvertible(`it warms a query that stays on the old library (${other})`)
      }
      const evaluator = new Evaluator(pass.project, call.path)
      const options = readOptions(evaluator, call.file, call.path)
      const result = evaluator.call(entryOf(options, 'queryFn') ?? UNDEFINED, [
        { kind: 'object', entries: [{ name: 'queryKey', value: call.key ?? UNDEFINED }] },
      ])
      if (result.kind !== 'result') {
        throw new Unconvertible('its function does not return the body of a response')
      }
      return pass.api.add(result.request, result.path)
    })
    return use ? [{ call, use }] : []
  })
}

export function writePrefetch(pass: Pass, call: ClientCall, use: Use): void {
  const args = pass.args(use, call.file)
  const code = pass.endpoint(call.file, pass.placeOf(use))
  addController(pass, call.file, call.path)
  pass.output.replace(call.file, call.path.node, `controller.fetchIfStale(${[code, ...args].join(', ')})`)
  pass.note('converted', call.file, call.path.node, call.method, `controller.fetchIfStale(${code})`)
}
