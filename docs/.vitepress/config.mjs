// Makes a site of docs/*.md as they are: `npm run docs` serves it, `npm run docs:build` writes it to .cache/site.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { defineConfig } from 'vitepress'
import { FRAMEWORKS } from '../../scripts/frameworks.mjs'
import { toId } from '../examples/[name].paths.mjs'

const DOCS = resolve(import.meta.dirname, '..')
const SKILLS = join(DOCS, '../skills')
const { exports, repository } = JSON.parse(readFileSync(join(DOCS, '../package.json'), 'utf8'))
/** The address of the repository on the web: `repository` of package.json. */
const SOURCE = repository && (repository.url ?? repository).replace(/^git\+|\.git$/g, '')
// A reader who edits an example needs the full error messages, on the built site too.
const developmentMessages = {
  name: 'development-messages',
  transform: (_code, id) => (id.endsWith('/src/base/env.ts') ? 'export const DEV = true' : undefined),
}

/** The entry points of the package, from its sources. */
const sources = Object.entries(exports)
  .filter(([, entry]) => entry['restitch-source'])
  .map(([name, entry]) => ({
    find: new RegExp(`^restitch${name.slice(1)}$`),
    replacement: resolve(DOCS, '..', entry['restitch-source']),
  }))

// Before the first paint, so that the code of the other frameworks never shows. Without it, all are shown.
const SHOW_FRAMEWORK = `(() => {
  let name
  try {
    name = localStorage.getItem('restitch-framework')
  } catch {}
  document.documentElement.dataset.framework = ['vue', 'svelte', 'solid'].includes(name) ? name : 'react'
})()`

export default defineConfig({
  title: 'restitch',
  description:
    'A data library for REST and GraphQL APIs, for React, Vue, Svelte, Solid and Angular. Every list stays right, without invalidation code.',
  lang: 'en',
  outDir: '../.cache/site',
  cacheDir: '../.cache/vitepress',
  cleanUrls: true,
  head: [
    ['link', { rel: 'icon', href: '/favicon.ico', sizes: '32x32' }],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }],
    ['script', {}, SHOW_FRAMEWORK],
  ],
  appearance: true,
  // The playground runs the sources.
  vite: {
    plugins: [developmentMessages],
    resolve: {
      conditions: ['restitch-source'],
      // From src/, they would be other copies than those of this folder.
      dedupe: ['svelte', 'solid-js'],
      alias: [
        ...sources,
        // The compiler of Solid runs in the page.
        { find: /^path$/, replacement: 'path-browserify' },
        { find: /^assert$/, replacement: resolve(DOCS, '.vitepress/theme/assert.mjs') },
        // From src/, React would be another copy than the one of this folder.
        { find: /^(react|react-dom)(\/.*)?$/, replacement: resolve(DOCS, 'node_modules/$1$2') },
      ],
    },
    build: {
      rollupOptions: {
        // 'use client' means nothing on a site.
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      },
    },
    optimizeDeps: {
      include: ['react', 'react/jsx-runtime', 'react-dom/client', 'sucrase', '@babel/core', 'babel-preset-solid'],
    },
    server: { fs: { allow: ['..'] } },
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config: (md) => {
      md.core.ruler.push('outside', linkOutside)
      md.core.ruler.push('frameworks', wrapFrameworks)
      md.core.ruler.push('names', (state) => breakNames(state, md.utils.escapeHtml))
    },
  },
  // Two programs, or a program and its app, stand side by side on these pages; others have tables of five columns.
  transformPageData: ({ relativePath }) =>
    /^(?:guide\/(?:from-|comparison)|playground|paste)/.test(relativePath)
      ? { frontmatter: { aside: false, pageClass: 'wide' } }
      : undefined,
  buildEnd: ({ outDir }) => writeTexts(outDir),
  themeConfig: {
    logo: '/icon.svg',
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument: rankPage } } },
    },
    outline: [2, 3],
    notFound: {
      title: 'Page not found',
      quote: 'No page has this address. The search finds names, titles and error codes.',
      linkText: 'Go to the start page',
      linkLabel: 'Go to the start page',
    },
    ...(SOURCE && { editLink: { pattern: `${SOURCE}/edit/main/docs/:path` } }),
    nav: [
      { text: 'Learn', link: '/quick-start', activeMatch: '/(?:quick-start|learn/)' },
      { text: 'Guides', link: '/guide/hooks', activeMatch: '/guide/(?!comparison)' },
      { text: 'API', link: '/README#api', activeMatch: '/(api|README)' },
      { text: 'Playground', link: '/playground' },
      { text: 'Examples', link: '/examples/README', activeMatch: '/examples/' },
      { text: 'Compare', link: '/guide/comparison' },
      ...(SOURCE ? [{ text: 'Source', link: SOURCE }] : []),
    ],
    sidebar: {
      '/api/': apiSidebar(),
      '/examples/': [{ text: 'Examples', items: listExamples() }],
      '/spec/': [{ text: 'Rules', items: listPages('spec') }],
      '/': [
        {
          text: 'Learn',
          items: [
            page('quick-start.md'),
            ...listPages('learn'),
            { text: 'Playground', link: '/playground' },
            { text: 'Paste a response', link: '/paste' },
          ],
        },
        ...guides(),
        {
          text: 'Reference',
          items: [
            { text: 'API', link: '/README#api' },
            { text: 'Errors', link: '/errors' },
            { text: 'Rules', link: '/spec/README' },
            { text: 'Architecture', link: '/architecture' },
          ],
        },
      ],
    },
  },
})

// Someone who searches for a name wants its page; for a word, a page that has it in its title. The others want to learn something before they want its rule.
// The site gets the text of this function, so it uses nothing outside.
function rankPage(id, term, { title = '', titles = [] } = {}) {
  const ranks = { learn: 4, guide: 3, errors: 1, spec: 0.2 }
  const rank = ranks[/(learn|guide|errors|spec)/.exec(id)?.[1]] ?? 1
  const isPage = !id.includes('#') || titles.length === 0
  const words = title.toLowerCase().match(/[\w]+/g) ?? []
  if (words.length === 1 && words[0] === term) {
    return Math.min(rank, 1) * (isPage ? 25 : 4)
  }
  return words.includes(term) ? rank * (isPage ? 10 : 3) : rank
}

function listPages(folder) {
  return readdirSync(join(DOCS, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => page(`${folder}/${name}`))
}

function listExamples() {
  const folder = join(DOCS, '../examples')
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'README.md')))
  return ['README', ...names, 'demo'].map((name) => {
    const file = name === 'demo' ? '../demo/README.md' : join('../examples', name === 'README' ? '' : name, 'README.md')
    return { text: page(file).text, link: `/examples/${name}` }
  })
}

function page(path) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(DOCS, path), 'utf8')) ?? []
  return { text: title ?? path, link: `/${path.replace(/\.md$/, '')}` }
}

// The groups of docs/README.md, in its order and with its short titles.
function guides() {
  return readGroups(/^## Guides\n([\s\S]*?)^## /m, /\[([^\]]+)\]\((guide\/[^)#]+)\.md\)/g)
}

// The groups of docs/README.md, then all the rest by name. The first one has the thirty names that an app uses; the others are closed.
function apiSidebar() {
  const groups = readGroups(/^## API\n([\s\S]*?)^## Reference/m, /\[([^\]]+)\]\((api\/[\w-]+)\.md\)/g)
  const seen = new Set(groups.flatMap(({ items }) => items.map(({ link }) => link)))
  const rest = listPages('api').filter(({ link }) => !seen.has(link))
  const [first, ...others] = groups.filter(({ items }) => items.length > 0)
  const closed = [...others, { text: 'Other', items: rest }]
  return [first, ...closed.map(({ text, items }) => ({ text, collapsed: true, items }))]
}

// A group begins with its name in bold. A page stands in the first group that links to it.
function readGroups(sectionPattern, linkPattern) {
  const [, section] = sectionPattern.exec(readFileSync(join(DOCS, 'README.md'), 'utf8'))
  const seen = new Set()
  return section
    .split(/^(?=\*\*)/m)
    .slice(1)
    .map((group) => {
      const items = []
      for (const [, text, path] of group.matchAll(linkPattern)) {
        if (!seen.has(path)) {
          seen.add(path)
          items.push({ text, link: `/${path}` })
        }
      }
      const [, text] = /^\*\*(.+?)\*\*/.exec(group)
      return { text, collapsed: false, items }
    })
}

// The blocks below `**React**`, `**Vue**`, `**Svelte**` and `**Solid**` (scripts/frameworks.mjs) get a switch, which shows one of them. Those of React
// stand in for a framework that has none.
function wrapFrameworks(state) {
  const html = (content) => Object.assign(new state.Token('html_block', '', 0), { content: `${content}\n` })
  const tokens = []
  let open
  const close = () => {
    if (open) {
      tokens.push(html('</div>'))
      open = undefined
    }
  }
  const { tokens: given } = state
  const nameAt = (at) =>
    given[at]?.type === 'paragraph_open' && FRAMEWORKS.find((one) => given[at + 1].content === `**${one}**`)
  /** The frameworks of the group of blocks that begins there. */
  const groupAt = (at) => {
    const names = []
    while (at < given.length && (nameAt(at) || given[at].type === 'fence')) {
      const name = nameAt(at)
      names.push(...(name ? [name] : []))
      at += name ? 3 : 1
    }
    return names
  }
  let group
  for (let at = 0; at < given.length; at += 1) {
    const name = nameAt(at)
    if (name) {
      if (!open) {
        group = groupAt(at)
        tokens.push(html(`<FrameworkSwitch names="${group.join()}" />`))
      }
      close()
      open = name
      const shown = FRAMEWORKS.filter((one) => one === name || (name === 'React' && !group.includes(one)))
      const classes = shown.map((one) => `for-${one.toLowerCase()}`).join(' ')
      tokens.push(html(`<div class="framework-code ${classes}"><p class="framework-name"><strong>${name}</strong></p>`))
      at += 2
    } else {
      if (given[at].type !== 'fence') {
        close()
      }
      tokens.push(given[at])
    }
  }
  close()
  state.tokens = tokens
}

// A long name in a table may be broken into lines between its words, and nowhere else.
function breakNames({ tokens }, escapeHtml) {
  for (const [at, { children }] of tokens.entries()) {
    if (/^t[dh]_open$/.test(tokens[at - 1]?.type)) {
      for (const token of children.filter(({ type }) => type === 'code_inline')) {
        const words = escapeHtml(token.content).replace(
          /(?<=[a-z0-9]{5})(?=[A-Z]\w{3})|(?<=\w[.(/])(?=\w{4})/g,
          '<wbr>',
        )
        Object.assign(token, { type: 'html_inline', content: `<code v-pre>${words}</code>` })
      }
    }
  }
}

// A link to an example leads to its page on the site; a link to another file leads to the repository, if it has an address. Otherwise only
// its text stays.
function linkOutside(state) {
  const from = dirname(join(DOCS, state.env.relativePath ?? ''))
  for (const { children } of state.tokens) {
    let isDropped = false
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const href = token.attrGet('href') ?? ''
        const target = relative(join(DOCS, '..'), resolve(from, href)).replaceAll('\\', '/')
        const isOutside = href.startsWith('.') && !target.startsWith('docs/')
        const page = isOutside ? findPage(target) : undefined
        if (page) {
          token.attrSet('href', page)
        }
        isDropped = isOutside && !page
      }
      if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) {
        isDropped = token.type === 'link_open'
        Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '', attrs: null })
      }
    }
  }
}

function findPage(target) {
  const [, folder, file] = /^(?:examples\/)?(demo|README|[\w-]+)(?:\/(.*)|\.md)?$/.exec(target) ?? []
  if (target.startsWith('examples/') || target.startsWith('demo/')) {
    return `/examples/${folder}${file && file !== 'README.md' ? `#${toId(file)}` : ''}`
  }
  return SOURCE && `${SOURCE}/blob/main/${target}`
}

// The same pages as plain text, for tools that read documentation: llms.txt is the index, with the skills for agents, llms-full.txt has the pages, and each page is
// there under the name that the index gives it.
function writeTexts(outDir) {
  const index = readFileSync(join(DOCS, 'README.md'), 'utf8')
  const pages = [
    ...new Set(
      [...index.matchAll(/\]\(((?:learn|guide|api)\/[\w-]+\.md|quick-start\.md|errors\.md)/g)].map(([, path]) => path),
    ),
  ]
  const texts = pages.map((path) => `<!-- ${path} -->\n\n${readFileSync(join(DOCS, path), 'utf8')}`)
  for (const path of pages) {
    writeFileSync(join(outDir, path), readFileSync(join(DOCS, path)))
  }
  const skills = readdirSync(SKILLS).map((name) => {
    const text = readFileSync(join(SKILLS, name, 'SKILL.md'), 'utf8')
    mkdirSync(join(outDir, 'skills', name), { recursive: true })
    writeFileSync(join(outDir, 'skills', name, 'SKILL.md'), text)
    return `- [${name}](skills/${name}/SKILL.md): ${/^description: (.+)$/m.exec(text)[1]}`
  })
  writeFileSync(join(outDir, 'llms.txt'), `${index}\n## Skills for agents\n\n${skills.join('\n')}\n`)
  writeFileSync(join(outDir, 'llms-full.txt'), texts.join('\n\n'))
}
