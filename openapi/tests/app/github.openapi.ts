import { defineConfig } from 'restitch-openapi'

export default defineConfig({ baseUrl: '/api', auth: { type: 'bearer' } })
