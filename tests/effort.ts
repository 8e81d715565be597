// `npm test` tries a part of the generated cases, `npm run test:release` all of them (RESTITCH_EFFORT=full).

export const isFull: boolean = process.env['RESTITCH_EFFORT'] === 'full'

/** How many cases to try: all of them before a release, a quarter while working. */
export function cases(count: number): number {
  return isFull ? count : Math.ceil(count / 4)
}
