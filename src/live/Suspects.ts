/** Reads in flight, and those of them whose response may have been computed before the connection was open. */
export class Suspects {
  readonly #inFlight = new Set<string>()
  #suspects = new Set<string>()

  sent(key: string): void {
    this.#inFlight.add(key)
  }

  /** Returns true if the response may lack what a message has said. */
  responded(key: string): boolean {
    this.#inFlight.delete(key)
    return this.#suspects.delete(key)
  }

  /** Messages may have been missed. */
  suspect(testKey: (key: string) => boolean): void {
    this.#suspects = new Set([...this.#inFlight].filter(testKey))
  }

  clear(): void {
    this.#inFlight.clear()
    this.#suspects.clear()
  }
}
