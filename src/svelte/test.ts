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
export { MockController } from '../mock/MockController.ts'
export { createMockStore, type MockStoreOptions } from '../binding/createMockStore.ts'
export {
  mountData,
  type MountedData,
  renderData,
  type RenderDataOptions,
  type Rendered,
  type RenderedData,
} from './renderData.ts'
