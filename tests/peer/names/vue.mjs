export * from 'restitch'
export * from 'restitch/vue'
export { inside as StateKey } from './inside.mjs'
