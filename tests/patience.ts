import { vi } from 'vitest'

// A second is the default, and on a busy machine it is over before anything has happened. A condition that never holds still
// fails, only later.
const PATIENCE = 60_000
const { waitFor } = vi
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE, ...options })
