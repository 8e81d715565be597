/** A listener that throws stops nobody else; its error goes where uncaught ones go. */
export function report(error: unknown): void {
  const { reportError } = globalThis as { reportError?: (error: unknown) => void }
  if (typeof reportError === 'function') {
    reportError(error)
  } else {
    console.error(error)
  }
}
