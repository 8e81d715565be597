import DefaultTheme from 'vitepress/theme'
import FrameworkSwitch from './FrameworkSwitch.vue'
import HomeLayout from './HomeLayout.vue'
import PasteResponse from './PasteResponse.vue'
import Playground from './Playground.vue'
// After the theme, whose colours it replaces.
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: HomeLayout,
  enhanceApp: ({ app }) =>
    app
      .component('PasteResponse', PasteResponse)
      .component('Playground', Playground)
      .component('FrameworkSwitch', FrameworkSwitch),
}
