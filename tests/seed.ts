import fc from 'fast-check'
import { afterAll, vi } from 'vitest'

// Files of src/ share a process (vitest.config.ts), but neither what the modules of another file have kept nor the globals it has replaced.
vi.resetModules()
afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
// The same cases each time, so that a green run stays green; another SEED looks elsewhere.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) })
