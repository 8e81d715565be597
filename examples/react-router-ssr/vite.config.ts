import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  // Vite would find it late, and reload the first page.
  optimizeDeps: { exclude: ['restitch'] },
})
