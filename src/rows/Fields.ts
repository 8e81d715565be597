/** The normalised fields of a record. */
export type Fields = Record<string, unknown>
