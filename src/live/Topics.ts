/** The topics that mounted readers need. */
export class Topics {
  readonly all: Set<string> = new Set()
  /** How many need each. */
  readonly #counts = new Map<string, number>()

  /** A reader needs a topic, or no longer does. Returns true if it was the first, or the last. */
  count(topic: string, isNeeded: boolean): boolean {
    const before = this.#counts.get(topic) ?? 0
    const now = Math.max(before + (isNeeded ? 1 : -1), 0)
    this.#counts.set(topic, now)
    this.all[now > 0 ? 'add' : 'delete'](topic)
    return (before === 0) !== (now === 0)
  }
}
