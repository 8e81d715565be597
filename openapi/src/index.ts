export {
  type AuthConfig,
  type Config,
  defineConfig,
  type EntityConfig,
  type Names,
  type NextPage,
  type OperationConfig,
  type PagesConfig,
  type PagesEnd,
} from './config.ts'
export { OpenApiError } from './errors.ts'
export { generate, type Generated } from './generate.ts'
export { readDescription, type ReadOptions } from './readDescription.ts'
export { type Finding, Report, type Verdict } from './Report.ts'
