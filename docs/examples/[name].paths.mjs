// A page for every app of examples/, and one for the demo: its README, then its files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const EXAMPLES = join(ROOT, 'examples')
const SHOWN = /\.(?:tsx?|vue|mjs|css)$/
const HIDDEN = /(?:^|\/)(?:node_modules|shared\/|\.next|\.nuxt|\.output|\.cache|dist|vite\.config)|next-env|\.d\.ts$/
const KINDS = { '.ts': 'ts', '.vue': 'vue', '.tsx': 'tsx', '.mjs': 'js', '.css': 'css' }

export default {
  watch: ['../../examples/*/*', '../../demo/README.md', '../../demo/app/resources/*'],
  paths: () => [
    { params: { name: 'README' }, content: rewrite('examples/README.md', new Set()) },
    ...listExamples().map((name) => createPage(name, `examples/${name}`, listFiles(join(EXAMPLES, name)))),
    createPage(
      'demo',
      'demo',
      listFiles(join(ROOT, 'demo/app/resources')).map((file) => `app/resources/${file}`),
    ),
  ],
}

function listExamples() {
  return readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'README.md')))
}

// Tests come last.
function listFiles(folder) {
  const rank = (name) => Number(/test/.test(name))
  return readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => SHOWN.test(name) && !HIDDEN.test(name))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

function createPage(name, folder, files) {
  const sections = files.map((file) => {
    const code = readFileSync(join(ROOT, folder, file), 'utf8')
    return `## ${file} {#${toId(file)}}\n\n\`\`\`\`${KINDS[/\.\w+$/.exec(file)[0]]}\n${code}\`\`\`\`\n`
  })
  const content = `${rewrite(`${folder}/README.md`, new Set(files))}\n\n${sections.join('\n')}`
  return { params: { name }, content }
}

// Links lead to the pages of the site, and to the files on this page. Of other links only the text stays.
function rewrite(path, files) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, label, href) => {
    if (/^(?:https?:|#)/.test(href)) {
      return link
    }
    if (files.has(href)) {
      return `[${label}](#${toId(href)})`
    }
    const [target, hash = ''] = relative(ROOT, resolve(ROOT, dirname(path), href))
      .replaceAll('\\', '/')
      .split('#')
    const page = findPage(target)
    return page ? `[${label}](${page}${hash && `#${hash}`})` : label
  })
}

function findPage(target) {
  if (/^docs\/.+\.md$/.test(target)) {
    return target.replace(/^docs/, '').replace(/\.md$/, '')
  }
  const [, name] = /^(?:examples\/([\w-]+)|demo)\/README\.md$/.exec(target) ?? []
  return target === 'demo/README.md' ? '/examples/demo' : name && `/examples/${name}`
}

/** The id of a file's section. The links of docs/ use the same. */
export function toId(file) {
  return file.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')
}
