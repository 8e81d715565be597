/** The table in which the cells of a Scalar lie. */
export function scalarTable(key: string): string {
  return `Scalar(${key})`
}
