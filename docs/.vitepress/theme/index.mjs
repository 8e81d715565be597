import DefaultTheme from 'vitepress/theme'
import Playground from './Playground.vue'
// After the theme, whose colours it replaces.
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('Playground', Playground),
}
