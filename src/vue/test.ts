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
export { MockController } from '../mock/MockController.ts'
export type { MockProps, MockProps as MockPluginOptions } from '../mock/mocks.ts'
export { MockPlugin } from './MockPlugin.ts'
export {
  mountDataClient,
  type RenderDataClientOptions,
  type RenderDataClientOptions as RenderDataComposeOptions,
  type RenderDataClientResult,
} from './mountDataClient.ts'
export { renderDataCompose, type RenderDataComposeResult } from './renderDataCompose.ts'
