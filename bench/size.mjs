// The size of other libraries in a browser, minified and gzipped by esbuild, without React: `node bench/size.mjs`.
// They are those of bench/package.json, which it installs. Ours is measured by `npm run size`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const SETUP = join(import.meta.dirname, '../scripts/setup.mjs')
execFileSync(process.execPath, [SETUP, '--only', '.', 'bench'], { stdio: 'inherit' })
// Only now it is installed.
const { build } = await import('esbuild')

const APPS = {
  '@tanstack/react-query': `export { QueryClient, QueryClientProvider, useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'`,
  swr: `export { default, SWRConfig } from 'swr'; export { default as useInfinite } from 'swr/infinite'; export { default as useMutation } from 'swr/mutation'`,
  '@reduxjs/toolkit': `export { configureStore } from '@reduxjs/toolkit'; export { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'; export { Provider } from 'react-redux'`,
  '@apollo/client': `export { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'; export { ApolloProvider, useMutation, useQuery, useSuspenseQuery } from '@apollo/client/react'`,
}

for (const [name, contents] of Object.entries(APPS)) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  const { version } = JSON.parse(readFileSync(`${import.meta.dirname}/node_modules/${name}/package.json`, 'utf8'))
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length
  console.log(`${`${name} ${version}`.padEnd(32)}${String(size).padStart(6)} bytes`)
}
