// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import './style.css'
import DefaultTheme from 'vitepress/theme'

export default DefaultTheme
