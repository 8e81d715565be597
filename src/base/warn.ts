const said = new Set<string>()

/** Says a thing once on the console. Callers stand behind `DEV`. */
export function warnOnce(text: string, level: 'info' | 'warn' | 'error' = 'warn'): void {
  if (said.has(text)) {
    return
  }
  said.add(text)
  console[level](text)
}
