// Part of development builds; in production nothing uses it, and bundlers leave it out.
export type { Explanation } from './Explanation.ts'
export { explainTarget } from './explainTarget.ts'
export { observe } from './observe.ts'
