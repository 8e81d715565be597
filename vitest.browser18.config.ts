import { fileURLToPath } from 'node:url'
import { mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from './vitest.browser.config.ts'

const from = (name: string): string => fileURLToPath(new URL(`tests/react18/node_modules/${name}`, import.meta.url))

/** What React 18.3 does in a real browser: `vitest run --config vitest.browser18.config.ts`. */
const config: ViteUserConfig = mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  {
    resolve: { alias: { react: from('react'), 'react-dom': from('react-dom') } },
    cacheDir: '.cache/vite-browser18',
    test: { include: base.test!.include!.length > 0 ? ['tests/react/chromium/spinner.test.ts'] : [] },
  },
)
export default config
