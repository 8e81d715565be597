import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { defineExample } from './shared/config.ts'
import { createApi } from './server.ts'

export default defineConfig(defineExample(createApi(), svelte({ configFile: false })))
