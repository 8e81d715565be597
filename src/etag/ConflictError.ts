import { NetworkError } from '../rest/NetworkError.ts'

/**
 * The server refused a change with 412, because the record has changed since it was loaded.
 *
 * @example
 * const textOf = (error: Error) => (error instanceof ConflictError ? `Now it is ${error.current?.name}` : error.message)
 * @see docs/api/ConflictError.md
 */
export class ConflictError<T = any> extends NetworkError {
  /** Why the fresh record could not be fetched; a 404 if it was deleted. */
  declare readonly cause: unknown
  declare private readonly read: () => T | undefined

  constructor({ response, url, method, body }: NetworkError, read: () => T | undefined, cause?: unknown) {
    super(response, url, method, body)
    Object.assign(this, { name: 'ConflictError', cause })
    // Not a member that is listed: an error may be sent to a tracker.
    Object.defineProperty(this, 'read', { value: read })
  }

  /** The record as the server has it now; `undefined` if it could not be fetched. */
  get current(): T | undefined {
    return this.cause === undefined ? this.read() : undefined
  }
}
