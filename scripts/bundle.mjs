// The three bundlers our users have, each in its production mode. Takes the text of an app, gives the text of its bundle.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { build as buildWithEsbuild } from 'esbuild'
import { build as buildWithVite } from 'vite'
import webpack from 'webpack'
import { PEERS } from './entries.mjs'

// What the app brings along is no part of what we look at.
const isPeer = (id) => PEERS.some((name) => id === name || id.startsWith(`${name}/`))

/** `mode` is `production`, or `none`: nobody told the bundler what `process.env.NODE_ENV` is. */
export async function bundleWithEsbuild(app, mode = 'production') {
  const { outputFiles, metafile } = await buildWithEsbuild({
    entryPoints: [writeApp('esbuild', app)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: PEERS,
    define:
      mode === 'production'
        ? { 'process.env.NODE_ENV': '"production"' }
        : { 'process.env.NODE_ENV': 'process.env.NODE_ENV' },
    metafile: true,
    write: false,
  })
  return { text: outputFiles[0].text, inputs: Object.values(metafile.outputs)[0].inputs }
}

export async function bundleWithVite(app) {
  const { output } = await buildWithVite({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: writeApp('vite', app),
        preserveEntrySignatures: 'strict',
        external: isPeer,
        // A bundle for the browser is all client: 'use client' has nothing to say there.
        onLog: (level, log, report) => log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log),
      },
    },
  })
  return { text: output[0].code }
}

export async function bundleWithWebpack(app) {
  const stats = await promisify(webpack)({
    mode: 'production',
    target: ['web', 'es2022'],
    entry: writeApp('webpack', app),
    output: { path: resolve('.cache/bundle/webpack'), filename: 'out.js' },
    externals: ({ request }, done) => (isPeer(request) ? done(null, 'var {}') : done()),
    performance: false,
  })
  if (stats.hasErrors()) {
    throw new Error(stats.toString({ colors: false }))
  }
  return { text: readFileSync('.cache/bundle/webpack/out.js', 'utf8') }
}

// Inside the package, so that `restitch` leads through its own `exports` to dist/, as it does for a user.
function writeApp(folder, app) {
  mkdirSync(`.cache/bundle/${folder}`, { recursive: true })
  const file = resolve(`.cache/bundle/${folder}/app.js`)
  writeFileSync(file, app)
  return file
}
