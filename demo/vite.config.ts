import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type AliasOptions, type Plugin, type UserConfig } from 'vite'

interface Manifest {
  name: string
  exports: Record<string, string | { 'restitch-source'?: string }>
}

/** The page: `demo/app` becomes `demo/.cache/page`. */
const config: UserConfig = defineConfig({
  root: path('app'),
  cacheDir: path('.cache/vite'),
  // The library lies in another folder and would find another React, or none.
  resolve: {
    alias: findLibrary(),
    conditions: ['restitch-source', ...defaultClientConditions],
    dedupe: ['react', 'react-dom'],
  },
  plugins: [react(), keepDevelopment()],
  build: {
    outDir: path('.cache/page'),
    emptyOutDir: true,
    chunkSizeWarningLimit: 2000,
    // The devtools name components.
    rolldownOptions: { output: { minify: { mangle: { keepNames: true } } } },
  },
})
export default config

// `restitch` leads to the sources, as package.json names them.
function findLibrary(): AliasOptions {
  const { name, exports } = JSON.parse(readFileSync(path('../package.json'), 'utf8')) as Manifest
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const source = typeof target === 'object' && target['restitch-source']
    return source ? [{ find: new RegExp(`^${name}${subpath.slice(1)}$`), replacement: path(`../${source}`) }] : []
  })
}

/** The library as apps have it while they are developed, whose devtools say more, in a page with React for production. */
function keepDevelopment(): Plugin {
  const sources = path('../src/')
  return {
    name: 'restitch-development',
    enforce: 'pre',
    transform: (code, id) => (id.startsWith(sources) ? code.replaceAll('process.env.NODE_ENV', '"development"') : null),
  }
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
