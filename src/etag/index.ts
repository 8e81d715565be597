export { ConflictError } from './ConflictError.ts'
export { etagEndpoint } from './etagEndpoint.ts'
export { ifMatch } from './ifMatch.ts'
