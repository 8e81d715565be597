import { runCore } from './core.js'

globalThis.finished = runCore().then(({ log, messages }) => ({ log, messages }))
