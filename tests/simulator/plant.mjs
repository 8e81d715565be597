/** Returns the contents of a source file with the edits of a fault. Every text that it replaces must occur exactly once. */
export function plant(contents, path, fault) {
  const name = path.replaceAll('\\', '/')
  for (const { file, text, by } of fault?.edits ?? []) {
    if (!name.endsWith(`/src/${file}`)) {
      continue
    }
    if (contents.split(text).length !== 2) {
      throw new Error(`"${fault.name}" replaces a text that does not occur exactly once in src/${file}: ${text}`)
    }
    contents = contents.replace(text, () => by)
  }
  return contents
}
