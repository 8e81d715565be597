// The bundlers our users have. Each takes the file of an app and returns the text of one script.
// Those that the package itself is not tested with are installed in tests/bundlers and loaded when they are needed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build as buildWithEsbuild } from 'esbuild'
import * as vite8 from 'vite'
import { PEERS } from './entries.mjs'

const require = createRequire(resolve('tests/bundlers/package.json'))
const load = (name) => import(pathToFileURL(require.resolve(name)))
const isPeer = (id) => PEERS.some((name) => id === name || id.startsWith(`${name}/`))
const define = (mode) => ({ 'process.env.NODE_ENV': mode === 'none' ? 'process.env.NODE_ENV' : JSON.stringify(mode) })

/**
 * `bundle(file, { mode, withPeers })`: `mode` is `production` or `development`. Without peers, `react` and the others are
 * left out of the bundle, which can be read but not run.
 */
export const QUICK = {
  'vite 8': (file, options) => bundleWithVite(file, options),
  esbuild: (file, options) => bundleWithEsbuild(file, options),
}

/** The same for all others, which take long or are not installed with the package. */
export const OTHERS = {
  'webpack 5': async (file, options) => bundleWithWebpack((await import('webpack')).default, file, options),
  'vite 7': async (file, options) => bundleWithVite(file, { ...options, vite: await load('vite-7') }),
  'rollup 4': async (file, options) => bundleWithRollup(await load('rollup'), file, options),
  'rollup 4.34': async (file, options) => bundleWithRollup(await load('rollup-4.34'), file, options),
  rspack: async (file, options) => bundleWithWebpack((await load('@rspack/core')).rspack, file, options),
  metro: (file, options) => bundleWithMetro(file, options),
}

/** Writes an app of the package itself, where `restitch` leads through `exports` to dist/ as it does for a user. */
export function writeApp(text) {
  mkdirSync('.cache/bundle', { recursive: true })
  const file = resolve('.cache/bundle/app.js')
  writeFileSync(file, text)
  return file
}

/** `mode` may also be `none`: nobody told the bundler what `process.env.NODE_ENV` is. */
export async function bundleWithEsbuild(file, { mode = 'production', withPeers = true, splitting = false } = {}) {
  const { outputFiles, metafile } = await buildWithEsbuild({
    entryPoints: [file],
    bundle: true,
    minify: mode !== 'development',
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: withPeers ? [] : PEERS,
    define: define(mode),
    metafile: true,
    write: false,
    splitting,
    outdir: '.cache/bundle/esbuild',
  })
  const outputs = Object.entries(metafile.outputs).map(([path, { imports, inputs }], at) => ({
    path,
    text: outputFiles[at].text,
    inputs,
    imports: imports.filter(({ kind }) => kind === 'import-statement').map((imported) => imported.path),
  }))
  return { ...firstLoad(outputs), inputs: outputs[0].inputs }
}

export async function bundleWithVite(
  file,
  { mode = 'production', withPeers = true, splitting = false, vite = vite8 } = {},
) {
  const isRolldown = Boolean(vite.rolldownVersion)
  const { output } = await vite.build({
    configFile: false,
    logLevel: 'error',
    mode,
    define: define(mode),
    plugins: [withoutPreload],
    build: {
      write: false,
      target: 'es2022',
      minify: mode === 'production' ? undefined : false,
      modulePreload: { polyfill: false },
      [isRolldown ? 'rolldownOptions' : 'rollupOptions']: {
        input: file,
        // As for a page: lazy chunks may import from the entry.
        preserveEntrySignatures: splitting ? false : 'strict',
        external: withPeers ? [] : isPeer,
        onLog: report,
        output: splitting ? {} : isRolldown ? { codeSplitting: false } : { inlineDynamicImports: true },
      },
    },
  })
  return firstLoad(output.map(({ fileName, code, imports }) => ({ path: fileName, text: code, imports })))
}

// The helper that loads chunks is Vite's, and an app with lazy routes has it anyway.
const withoutPreload = {
  name: 'without-preload',
  enforce: 'pre',
  load: (id) => (id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load()' : undefined),
}

// A bundle for the browser is all client: 'use client' has nothing to say there.
function report(level, log, handle) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') {
    handle(level, log)
  }
}

// `text` is the entry with the chunks that it imports statically, `later` the chunks that are imported when they are needed.
function firstLoad([entry, ...chunks]) {
  const loaded = [entry]
  for (const { imports } of loaded) {
    loaded.push(...chunks.filter((chunk) => imports.includes(chunk.path) && !loaded.includes(chunk)))
  }
  const textOf = (files) => files.map(({ text }) => text).join('\n')
  return { text: textOf(loaded), later: textOf(chunks.filter((chunk) => !loaded.includes(chunk))) }
}

async function bundleWithRollup({ rollup }, file, { mode, withPeers }) {
  const [{ nodeResolve }, commonjs, replace, terser] = await Promise.all(
    ['node-resolve', 'commonjs', 'replace', 'terser'].map((name) => load(`@rollup/plugin-${name}`)),
  )
  const built = await rollup({
    input: file,
    external: withPeers ? [] : isPeer,
    onLog: report,
    plugins: [
      nodeResolve({ browser: true }),
      commonjs.default(),
      replace.default({ values: define(mode), preventAssignment: true }),
      ...(mode === 'production' ? [terser.default()] : []),
    ],
  })
  const { output } = await built.generate({ format: 'es', inlineDynamicImports: true })
  return { text: output[0].code }
}

async function bundleWithWebpack(pack, file, { mode, withPeers }) {
  const folder = resolve('.cache/bundle/webpack')
  const stats = await promisify(pack)({
    mode,
    context: dirname(file),
    target: ['web', 'es2022'],
    entry: file,
    output: { path: folder, filename: 'out.js', asyncChunks: false },
    externals: ({ request }, done) => (!withPeers && isPeer(request) ? done(null, 'var {}') : done()),
    performance: false,
    devtool: false,
  })
  if (stats.hasErrors()) {
    throw new Error(stats.toString({ colors: false }))
  }
  return { text: readFileSync(join(folder, 'out.js'), 'utf8') }
}

// As React Native's own configuration has it, without the modules that only exist on a device.
async function bundleWithMetro(file, { mode, withPeers }) {
  const { default: Metro } = await load('metro')
  const { default: metroConfig } = await load('metro-config')
  const root = dirname(file)
  const config = metroConfig.mergeConfig(await metroConfig.getDefaultConfig(root), {
    projectRoot: root,
    watchFolders: [root, resolve('tests/bundlers/node_modules')],
    reporter: { update() {} },
    cacheStores: [],
    maxWorkers: 1,
    resolver: {
      useWatchman: false,
      unstable_conditionNames: ['react-native'],
      nodeModulesPaths: [resolve('tests/bundlers/node_modules')],
      resolveRequest: (context, name, platform) =>
        !withPeers && isPeer(name) ? { type: 'empty' } : context.resolveRequest(context, name, platform),
    },
    transformer: {
      babelTransformerPath: require.resolve('@react-native/metro-babel-transformer'),
      getTransformOptions: async () => ({ transform: { inlineRequires: true } }),
    },
  })
  const { code } = await Metro.runBuild(config, {
    entry: basename(file),
    dev: mode === 'development',
    minify: mode === 'production',
    platform: 'ios',
  })
  return { text: code }
}

/** The versions of React Native whose Babel preset is installed. */
export function findNativePresets() {
  const { devDependencies } = JSON.parse(readFileSync('tests/bundlers/package.json', 'utf8'))
  return Object.keys(devDependencies).filter((name) => name.startsWith('babel-preset-'))
}

/** Compiles a module as Metro does with that preset, and parses the output, which a preset may leave in a form that no engine accepts. */
export async function compileForNative(preset, filename, text, unstable_transformProfile) {
  const { default: babel } = await load('@babel/core')
  const { code } = await babel.transformAsync(text, {
    filename,
    presets: [[require(preset), { unstable_transformProfile }]],
    babelrc: false,
    configFile: false,
  })
  await babel.parseAsync(code, { filename, babelrc: false, configFile: false, sourceType: 'script' })
}
