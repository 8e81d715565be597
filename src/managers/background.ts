// Code that no page needs for its first paint. It imports nothing that the page has: a bundler would move that, and all that it imports,
// to a chunk of its own.
export { retryLater } from './retryLater.ts'
export { startSweeps } from './sweep.ts'
export { watchFocus } from './watchFocus.ts'
