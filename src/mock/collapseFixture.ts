import type { Fixture, ResponseInterceptor } from './Fixture.ts'

/**
 * What a fixture answers these arguments with. What a function throws is an error like any other.
 *
 * @example
 * const { response, error } = collapseFixture(fixture, [{ id: 5 }])
 * @see docs/api/collapseFixture.md
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
