import type { Fixture, ResponseInterceptor } from './Fixture.ts'

/**
 * The response of a fixture to these arguments. If a response function throws, that is its error.
 *
 * @example
 * const { response, error } = collapseFixture(fixture, [{ id: 5 }])
 * @see docs/api/Fixture.md#collapsefixture
 */
export function collapseFixture(
  fixture: Fixture | ResponseInterceptor,
  args: readonly any[],
  interceptorData?: unknown,
): { response: any; error: boolean } {
  const { response } = fixture as Fixture
  if (typeof response !== 'function') {
    return { response, error: (fixture as Fixture).error === true }
  }
  try {
    return { response: response.apply(interceptorData, args), error: false }
  } catch (thrown) {
    return { response: thrown, error: true }
  }
}
