/** How many moments are remembered. */
const MOST = 2_000

/** Which number a store had reached at which moment: a request of another tab was sent at a time, and here order is a number. */
export class Numbers {
  private readonly moments: [time: number, reached: number][] = []

  note(time: number, reached: number): void {
    const { moments } = this
    const last = moments.at(-1)
    // The clock was set back.
    if (last && last[0] > time) {
      moments.splice(0)
    }
    if (last?.[0] === time) {
      last[1] = reached
    } else if (last?.[1] !== reached) {
      moments.push([time, reached])
    }
    if (moments.length > MOST) {
      moments.splice(0, MOST / 2)
    }
  }

  /** The number before everything that has happened at this time or later. */
  before(time: number): number {
    const at = this.moments.findLastIndex(([one]) => one < time)
    return at < 0 ? 0 : this.moments[at]![1]
  }
}
