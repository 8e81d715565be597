export { createFixture } from '../mock/createFixture.ts'
export type {
  ErrorFixture,
  FetchInterceptor,
  Fixture,
  Interceptor,
  ResponseInterceptor,
  SuccessFixture,
} from '../mock/Fixture.ts'
export { mockInitialState } from '../mock/mockInitialState.ts'
export type { MockProps } from '../mock/mocks.ts'
export { MockPlugin } from './MockPlugin.ts'
export { renderDataCompose, type RenderDataComposeOptions, type RenderDataComposeResult } from './renderDataCompose.ts'
