import fc from 'fast-check'
import { afterAll, vi } from 'vitest'

// Files share a process (vitest.config.ts), but neither what the modules of another file have kept, nor its page, nor the globals and
// timers it has replaced.
vi.resetModules()
globalThis.document?.body.replaceChildren()
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
// The same cases each time, so that a green run stays green; another SEED looks elsewhere.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) })
