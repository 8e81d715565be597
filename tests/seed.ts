import fc from 'fast-check'
import { vi } from 'vitest'

// Files of src/ share a process (vitest.config.ts), but not what the modules of another file have kept.
vi.resetModules()
// The same cases each time, so that a green run stays green; another SEED looks elsewhere.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) })
