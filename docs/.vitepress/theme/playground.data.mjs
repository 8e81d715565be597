// The first example of docs/playground.md, which also runs on the home page.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const PAGE = resolve(import.meta.dirname, '../../playground.md')

export default {
  watch: ['../../playground.md'],
  load: () => ({ code: /```tsx\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))[1] }),
}
