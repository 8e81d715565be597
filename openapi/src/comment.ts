import type { JsonSchema } from './Description.ts'

/** Longer descriptions are cut after a sentence. */
const LONGEST = 400

/** The description of something as the text of a doc comment, with `@deprecated`. */
export function commentOf(
  {
    title,
    summary,
    description,
    deprecated,
  }: { title?: string; summary?: string; description?: string; deprecated?: boolean },
  note?: string,
): string | undefined {
  const main = tidy(summary ?? '') || tidy(title ?? '')
  const more = tidy(description ?? '')
  const text = main !== '' && more !== '' && !more.startsWith(main) ? `${sentence(main)} ${more}` : more || main
  const parts = [shorten(text), note ?? '', deprecated ? '@deprecated' : '']
  return parts.filter((part) => part !== '').join('\n') || undefined
}

/** The comment of a member: its own description, not the title of its type. */
export function memberComment({
  description,
  deprecated,
}: Pick<JsonSchema, 'description' | 'deprecated'>): string | undefined {
  return commentOf({ ...(description && { description }), ...(deprecated && { deprecated }) })
}

/** The first paragraph, on one line, without the syntax that only a page shows. */
function tidy(text: string): string {
  const [paragraph = ''] = text.trim().split(/\r?\n\s*\r?\n/)
  return paragraph
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const sentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`)

function shorten(text: string): string {
  if (text.length <= LONGEST) {
    return text
  }
  const end = text.slice(0, LONGEST).lastIndexOf('. ')
  return end > 0 ? text.slice(0, end + 1) : `${text.slice(0, LONGEST).replace(/\s\S*$/, '')}…`
}
