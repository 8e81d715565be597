/**
 * A fault in a description, a configuration or the command line. The message says what is wrong and what to do;
 * `places` say where in the description.
 */
export class OpenApiError extends Error {
  override name = 'OpenApiError'
  readonly places: readonly string[]

  constructor(message: string, places: readonly string[] = []) {
    super([message, ...places.map((place) => `  at ${place}`)].join('\n'))
    this.places = places
  }
}
