import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ErrorFixture, SuccessFixture } from './Fixture.ts'

/**
 * A fixture whose arguments and response are checked by its endpoint. In an array of `Fixture` the compiler cannot do that.
 *
 * @example
 * const ann = createFixture({ endpoint: getUser, args: [{ id: 5 }], response: { id: '5', name: 'Ann' } })
 * @see docs/api/Fixture.md
 */
export function createFixture<E extends EndpointInterface>(fixture: ErrorFixture<E>): ErrorFixture<E>
// The last one: messages of the compiler are about this form.
export function createFixture<E extends EndpointInterface>(fixture: SuccessFixture<E>): SuccessFixture<E>
export function createFixture(fixture: unknown): unknown {
  return fixture
}
