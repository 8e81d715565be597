export { adaptEndpoint, type AdaptOptions } from './adaptEndpoint.ts'
export { camelizeKeys } from './camelizeKeys.ts'
export type { CasingOptions } from './casing.ts'
export type { Envelope } from './unwrap.ts'
