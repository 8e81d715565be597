export { tabs, type TabsOptions } from './tabs.ts'
