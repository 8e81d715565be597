import solid from 'vite-plugin-solid'
import { defineConfig } from 'vite'
import { defineExample } from './shared/config.ts'
import { createApi } from './server.ts'

export default defineConfig(defineExample(createApi(), solid()))
