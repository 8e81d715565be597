// How many generated cases to try: a release all of them (RESTITCH_EFFORT=full), `npm test` a twentieth, and `npm run mutate` a
// few (RESTITCH_EFFORT=least), since it runs the tests once for every change that it makes.

const effort = process.env['RESTITCH_EFFORT']

export const isFull: boolean = effort === 'full'

export function cases(count: number): number {
  return Math.ceil(count * (isFull ? 1 : effort === 'least' ? 1 / 40 : 1 / 20))
}

/** The part of a long table that runs: all of it in a release, else every `nth` row, beginning with `first`. */
export function part<T>(rows: readonly T[], nth: number, first = 0): readonly T[] {
  return isFull ? rows : rows.filter((_, at) => at % nth === first)
}
