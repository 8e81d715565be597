import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { defineExample } from './shared/config.ts'
import { createApi } from './server.ts'

const api = createApi()
const prices: Record<string, number> = { ACME: 100, GLOB: 50, HOOL: 200 }

setInterval(() => {
  for (const symbol of Object.keys(prices)) {
    prices[symbol]! *= 1 + (Math.random() - 0.5) / 50
  }
  api.publish(prices)
}, 1_000).unref()

export default defineConfig(defineExample(api, react()))
