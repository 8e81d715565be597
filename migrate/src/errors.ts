/** A fault of the command line or of a file that it names. */
export class MigrateError extends Error {
  override name = 'MigrateError'
}

/** Code that the codemod does not know. The message is the reason in the report; the code stays as it is. */
export class Unconvertible extends Error {
  override name = 'Unconvertible'
}

/** A request whose endpoint cannot be written: code that sends it stays. */
export class Unwritable extends Error {
  readonly operation: string

  constructor(operation: string, reason: string) {
    super(reason)
    this.operation = operation
  }
}

/** The beginning of a piece of code, for a line of the report. */
export function brief(code: string): string {
  const [first = ''] = code.split('\n')
  return first.length < code.length || first.length > 60 ? `${first.slice(0, 60).trimEnd()} …` : first
}
