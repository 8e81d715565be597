// The README of the package. A registry page shows it without the folders around it, so its links lead to the published files, and pictures and links to
// files that are not published are left out. `npm pack` and `npm publish` run this before (`--pack`) and after (`--restore`).
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isPublished, linkTo } from './links.mjs'

const COPY = '.cache/README.md'

/** The text for the package. */
export function packReadme(text) {
  return text
    .replaceAll(/<picture>[\s\S]*?<\/picture>\n*|<img\b[^>]*> ?/g, '')
    .replaceAll(/!?\[([^\]]*)\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)/g, (link, label, path, anchor = '') => {
      if (link.startsWith('!')) {
        return ''
      }
      return isPublished(path) ? `[${label}](${linkTo(path)}${anchor})` : label
    })
}

if (process.argv.includes('--pack')) {
  mkdirSync('.cache', { recursive: true })
  // A copy that is still there is of a run that was interrupted.
  if (!existsSync(COPY)) {
    writeFileSync(COPY, readFileSync('README.md'))
  }
  writeFileSync('README.md', packReadme(readFileSync(COPY, 'utf8')))
} else if (process.argv.includes('--restore')) {
  renameSync(COPY, 'README.md')
}
