import { DEV } from './env.ts'

/** A value as text for a message of development: JSON where it can be, cut to what a person reads. */
export function show(value: unknown): string {
  // Metro drops no unused export, so a function that only development calls is empty in production.
  if (DEV) {
    let text: string | undefined
    try {
      text = JSON.stringify(value)
    } catch {
      // A ring, a big integer, or deeper than the stack.
    }
    text ??= typeof value === 'object' ? Object.prototype.toString.call(value) : String(value)
    return text.length > 300 ? `${text.slice(0, 300)}…` : text
  }
  return ''
}
