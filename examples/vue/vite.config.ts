import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { defineExample } from './shared/config.ts'
import { createApi } from './server.ts'

export default defineConfig(defineExample(createApi(), vue()))
