export { adaptEndpoint, type AdaptOptions } from './adaptEndpoint.ts'
export type { CasingOptions } from './casing.ts'
export type { Envelope } from './unwrap.ts'
