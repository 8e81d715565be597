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
export { provideMockRestitch, renderData, type RenderedData } from './renderData.ts'
