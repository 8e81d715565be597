import type { ESLint, Linter } from 'eslint'
import { guard } from './guard.ts'
import { rules } from './rules.ts'

const plugin: ESLint.Plugin & { configs: { recommended: Linter.Config } } = {
  meta: { name: 'eslint-plugin-restitch', version: '0.1.0', namespace: 'restitch' },
  rules: Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, guard(rule)])),
  configs: {
    recommended: {
      name: 'restitch/recommended',
      rules: Object.fromEntries(Object.keys(rules).map((name) => [`restitch/${name}`, 'error'] as const)),
    },
  },
}
// A configuration names the object of its plugin.
plugin.configs.recommended.plugins = { restitch: plugin }

export default plugin
