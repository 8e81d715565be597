import type { App } from 'vue'
import { followServer } from '../binding/onServer.ts'
import { createMocks, type MockProps } from '../mock/mocks.ts'
import { withMocks } from '../mock/withMocks.ts'
import { ControllerKey, useController } from './useController.ts'

/**
 * Mocks the fetches of an app, in stories and tests. Install it after the plugin of the store.
 *
 * @example
 * createApp(VueApp).use(createRestitch()).use(MockPlugin, { fixtures }).mount('#app')
 * @see docs/api/renderDataCompose.md#mockplugin
 */
export const MockPlugin: { install(app: App, props: MockProps): void } = {
  install(app, props) {
    const controller = app.runWithContext(useController)
    const mocked = withMocks(controller, createMocks(props))
    followServer(mocked, controller)
    // Not `provide`, which warns of a key that is there.
    Object.assign(app._context.provides, { [ControllerKey as symbol]: mocked })
    const { globalProperties } = app.config
    if (globalProperties['$dataClient']) {
      globalProperties['$dataClient'] = mocked
    }
  },
}
