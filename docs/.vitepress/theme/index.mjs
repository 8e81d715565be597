import DefaultTheme from 'vitepress/theme'
import { defineAsyncComponent } from 'vue'
import FrameworkSwitch from './FrameworkSwitch.vue'
import HomeLayout from './HomeLayout.vue'
import Playground from './Playground.vue'
// After the theme, whose colours it replaces.
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import './style.css'

// One page has it, and it brings the library and a compiler.
const PasteResponse = defineAsyncComponent(() => import('./PasteResponse.vue'))

export default {
  extends: DefaultTheme,
  Layout: HomeLayout,
  enhanceApp: ({ app }) =>
    app
      .component('PasteResponse', PasteResponse)
      .component('Playground', Playground)
      .component('FrameworkSwitch', FrameworkSwitch),
}
