export type { AuthOptions, SignedOutError, SignOutReason } from './AuthOptions.ts'
export { type Auth, createAuth } from './createAuth.ts'
export type { Tokens } from './Tokens.ts'
