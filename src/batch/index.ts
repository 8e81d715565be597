export { type BatchOptions, withBatch } from './withBatch.ts'
