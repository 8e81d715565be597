// The anchors of a page.
import { readFileSync } from 'node:fs'

/** The anchors of the headings of a Markdown file, as GitHub and VitePress make them: a heading that repeats gets a number. */
export function anchorsOf(file) {
  const seen = new Map()
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => {
      const slug = title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .trim()
        .replaceAll(' ', '-')
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      return count ? `${slug}-${count}` : slug
    }),
  )
}
