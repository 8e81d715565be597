export { collapseFixture } from './collapseFixture.ts'
export { createFixture } from './createFixture.ts'
export { createFixtureMap } from './createFixtureMap.ts'
export type {
  ErrorFixture,
  ErrorFixture as ErrorFixtureEndpoint,
  FetchInterceptor,
  Fixture,
  Fixture as FixtureEndpoint,
  Interceptor,
  ResponseInterceptor,
  SuccessFixture,
  SuccessFixture as SuccessFixtureEndpoint,
} from './Fixture.ts'
export { MockController } from './MockController.ts'
export { mockInitialState } from './mockInitialState.ts'
export type { MockProps } from './mocks.ts'
