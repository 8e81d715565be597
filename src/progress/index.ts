export { type Progress, withProgress } from './withProgress.ts'
