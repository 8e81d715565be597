// Edits of a built module, and of its source map, so that a debugger still shows the right place.
import { decode, encode } from '@jridgewell/sourcemap-codec'

/** `edits` are `{ start, end, text }`, in any order, and do not overlap. */
export function applyEdits(text, edits) {
  let result = text
  for (const edit of edits.toSorted((a, b) => b.start - a.start)) {
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end)
  }
  return result
}

/** The source map of the edited text. Each edit stays on one line, so columns shift and lines do not. */
export function shiftMap(map, text, edits) {
  const lines = decode(map.mappings)
  for (const { start, end, text: inserted } of edits.toSorted((a, b) => b.start - a.start)) {
    const before = text.slice(0, start)
    const column = end - (before.lastIndexOf('\n') + 1)
    const line = lines[before.split('\n').length - 1] ?? []
    for (const segment of line) {
      segment[0] += segment[0] >= column ? inserted.length - (end - start) : 0
    }
  }
  return { ...map, mappings: encode(lines) }
}
