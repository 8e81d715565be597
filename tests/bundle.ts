import { createContext, runInContext } from 'node:vm'
import { readFile } from 'node:fs/promises'
import { build, type Plugin } from 'esbuild'
import { foldDev } from '../scripts/fold.mjs'

// As the build does, so that development code folds away.
const fold: Plugin = {
  name: 'fold',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: path.endsWith('/env.ts') ? await readFile(path, 'utf8') : foldDev(path, await readFile(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

/** Bundles an app that imports `restitch`, from the sources. */
export async function bundle(contents: string, mode: 'development' | 'production' = 'production'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': `"${mode}"` },
    plugins: [fold],
    minify: mode === 'production',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/** Runs a bundle in a world of its own, which has the given globals and no `eval`, and gives that world. */
export function runAlone(code: string, globals: Record<string, unknown>): Record<string, any> {
  const world = createContext({ ...globals }, { codeGeneration: { strings: false, wasm: false } })
  // A module has a scope of its own: its class Request is not the Request of the platform.
  runInContext(`(() => {${code}\n})()`, world)
  return world
}
