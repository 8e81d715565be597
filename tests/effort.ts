// How many generated cases to try: `npm run test:release` all of them (RESTITCH_EFFORT=full), `npm test` a quarter, and
// `npm run mutate` a few (RESTITCH_EFFORT=least), since it runs the tests once for every change that it makes.

const effort = process.env['RESTITCH_EFFORT']

export const isFull: boolean = effort === 'full'

export function cases(count: number): number {
  return Math.ceil(count * (isFull ? 1 : effort === 'least' ? 1 / 40 : 1 / 4))
}
