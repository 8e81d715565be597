// Compiles components for tests: a plugin of Vite for the browser, one of esbuild for a server.
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'
import { compile } from 'svelte/compiler'
import type { Plugin as VitePlugin } from 'vite'

const COMPONENT = /\.svelte$/

function compileComponent(code: string, filename: string, generate: 'client' | 'server'): string {
  const { js } = compile(code, { filename, generate, dev: false, css: 'external', experimental: { async: true } })
  return js.code
}

export function svelte(): VitePlugin {
  return {
    name: 'svelte',
    transform: (code, id) =>
      COMPONENT.test(id) ? { code: compileComponent(code, id, 'client'), map: null } : undefined,
  }
}

function pluginFor(generate: 'client' | 'server'): Plugin {
  return {
    name: 'svelte',
    setup({ onLoad }) {
      onLoad({ filter: COMPONENT }, async ({ path }) => ({
        contents: compileComponent(await readFile(path, 'utf8'), path, generate),
        loader: 'js',
      }))
    },
  }
}

export const svelteInBrowser: Plugin = pluginFor('client')
export const svelteOnServer: Plugin = pluginFor('server')
