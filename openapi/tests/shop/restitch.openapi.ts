import { defineConfig } from '../../src/index.ts'

export default defineConfig({ input: 'openapi.yaml', output: 'api', importExtension: '.ts' })
