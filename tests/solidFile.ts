// Compiles the JSX of Solid in the documents, for tests that run them. Its compiler is installed in examples/, so a release does it.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { transformSync } from 'esbuild'

/** A module of Solid as JavaScript. */
export function compileSolid(text: string, path: string): string {
  const plugin = createRequire(createRequire(resolve('examples/package.json')).resolve('vite-plugin-solid'))
  const babel = plugin('@babel/core')
  const { code } = transformSync(text, { loader: 'tsx', jsx: 'preserve', target: 'es2022' })
  const options = { filename: path, babelrc: false, configFile: false, presets: [plugin('babel-preset-solid')] }
  return babel.transformSync(code, options).code
}
