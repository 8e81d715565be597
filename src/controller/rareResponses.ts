// Code for responses that few apps receive. It imports nothing that the page has: a bundler would move that to a chunk of its own.
export { completeMutation } from './completeMutation.ts'
export { refreshPages } from './refreshPages.ts'
