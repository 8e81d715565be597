import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

// The folder above has a lock file of its own.
const root = dirname(fileURLToPath(import.meta.url))
export default { cacheComponents: true, partialPrefetching: true, turbopack: { root } }
