import { DEV } from '../base/env.ts'
import { warnOnce } from '../base/warn.ts'
import { callOf } from '../requests/Call.ts'
import type { Fixture, Interceptor } from './Fixture.ts'

/**
 * Sorts mocks: fixtures by their key, and interceptors in their order.
 *
 * @example
 * const [answers, interceptors] = createFixtureMap(fixtures)
 * @see docs/api/Fixture.md#createfixturemap
 */
export function createFixtureMap(
  fixtures: readonly (Fixture | Interceptor)[] = [],
): [answers: Map<string, Fixture>, interceptors: Interceptor[]] {
  const answers = new Map<string, Fixture>()
  const interceptors: Interceptor[] = []
  for (const fixture of fixtures) {
    const isExact = 'args' in fixture
    if (isExact && typeof fixture.response !== 'function') {
      answers.set(callOf(fixture.endpoint, fixture.args).name, fixture)
      continue
    }
    if (DEV && isExact) {
      warnOnce(
        `A fixture of "${fixture.endpoint.key(...fixture.args)}" has "args" and a function as "response". It is used for all arguments: leave "args" out, or make "response" a value.`,
      )
    }
    interceptors.push(fixture as Interceptor)
  }
  return [answers, interceptors]
}
