// Part of development builds; in production nothing uses it, and bundlers leave it out.
export { explainTarget } from './explainTarget.ts'
export { observeStore } from './pageConsole.ts'
