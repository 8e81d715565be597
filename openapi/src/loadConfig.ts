import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createJiti } from 'jiti'
import { checkValues } from './checkValues.ts'
import type { Config } from './config.ts'
import { OpenApiError } from './errors.ts'

const NAMES = ['restitch.openapi.ts', 'restitch.openapi.mts', 'restitch.openapi.js', 'restitch.openapi.mjs']

/** The file of the configuration, if there is one. */
export function configFile(folder: string, named?: string): string[] {
  const files = named === undefined ? NAMES.map((name) => join(folder, name)) : [resolve(folder, named)]
  return files.filter((file) => existsSync(file)).slice(0, 1)
}

/** Loads the configuration: the file that is named, or the one in the folder; an empty one if there is none. */
export async function loadConfig(folder: string, named?: string): Promise<Config> {
  const file =
    named === undefined
      ? NAMES.map((name) => join(folder, name)).find((name) => existsSync(name))
      : resolve(folder, named)
  if (file === undefined) {
    return {}
  }
  if (!existsSync(file)) {
    throw new OpenApiError(`The configuration "${named}" does not exist. Check the path after --config.`)
  }
  // The folder of the tool finds `restitch-openapi` also where it is not installed, as with npx.
  const jiti = createJiti(import.meta.url, {
    // With --watch, it may have changed.
    moduleCache: false,
    alias: { 'restitch-openapi': join(import.meta.dirname, `index${OWN_END}`) },
  })
  const loaded = await jiti.import<{ default?: unknown }>(file)
  const config = loaded.default
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new OpenApiError(`"${file}" exports no configuration. Write: export default defineConfig({ … }).`)
  }
  checkValues(config)
  return config
}

/** The end of the files of this tool: it runs from its sources in tests. */
const OWN_END = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** How the nearest tsconfig.json wants import paths to end. */
export function findImportExtension(output: string): '' | '.js' | '.ts' {
  for (let folder = resolve(output); ; folder = dirname(folder)) {
    const file = join(folder, 'tsconfig.json')
    if (existsSync(file)) {
      const text = readFileSync(file, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')
      if (/"allowImportingTsExtensions"\s*:\s*true/.test(text)) {
        return '.ts'
      }
      return /"module(?:Resolution)?"\s*:\s*"node(?:16|18|20|next)"/i.test(text) ? '.js' : ''
    }
    if (folder === dirname(folder)) {
      return ''
    }
  }
}
