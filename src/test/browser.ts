'use client'
export { createFixture } from '../mock/createFixture.ts'
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
} from '../mock/Fixture.ts'
export { mockInitialState } from '../mock/mockInitialState.ts'
export { MockResolver, type MockResolverProps } from './MockResolver.ts'
