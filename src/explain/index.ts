export { explain } from './explain.ts'
