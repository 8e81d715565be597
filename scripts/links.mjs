// The addresses of published files: unpkg serves every file of every published version.
import { existsSync, readFileSync } from 'node:fs'

const { name, version, files } = JSON.parse(readFileSync('package.json', 'utf8'))
/** npm adds these to every package. */
const ALWAYS = new Set(['package.json', 'README.md', 'LICENSE'])

export const VERSION = version

export function linkTo(path) {
  return `https://unpkg.com/${name}@${version}/${path}`
}

export function isPublished(path) {
  const isListed = files.some((entry) => path === entry || path.startsWith(`${entry}/`))
  const isPage = files.includes('docs/*.md') && /^docs\/[^/]+\.md$/.test(path)
  return existsSync(path) && (ALWAYS.has(path) || isListed || isPage)
}
