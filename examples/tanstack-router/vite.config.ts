import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { defineExample } from './shared/config.ts'
import { createApi } from './server.ts'

export default defineConfig(defineExample(createApi(), react()))
