/** Rejects a request because the store was reset or stopped. */
export class ResetError extends Error {
  constructor() {
    super('Aborted due to RESET')
    this.name = 'ResetError'
  }
}

/** True for a request that was aborted: its error says nothing about the data. */
export function isAborted(error: unknown): boolean {
  const { name } = (error ?? {}) as { name?: unknown }
  return name === 'AbortError' || error instanceof ResetError
}
