// Schedules of the model: all of a small world, and random ones of a larger one.
import { type Action, type Fate, type Fault, type Schedule, World } from './model.ts'

const create = (of: string): Action => ({ kind: 'create', of })
const edit = (of: string): Action => ({ kind: 'edit', of })
const remove = (of: string): Action => ({ kind: 'delete', of })

/** The actions of the users of two tabs, in three entries. */
export const SCRIPTS: readonly (readonly (readonly Action[])[])[] = [
  [[create('x'), edit('x')], [edit('a')]],
  [[edit('a'), edit('a')], [edit('a')]],
  [[edit('a'), remove('a')], [edit('b')]],
  [[create('x')], [create('y'), edit('y')]],
]

/** Runs a world to its end. Returns what is wrong with it. */
export async function faultsOf(
  scripts: readonly (readonly Action[])[],
  schedule: Schedule,
  fault?: Fault,
): Promise<readonly string[]> {
  const world = new World(schedule, fault)
  await world.run(scripts)
  return world.faults
}

/** Things happen in order, but for these events, by their place. */
export function fixed(fates: ReadonlyMap<number, Fate>, knowsKeys: boolean): Schedule & { readonly count: number } {
  let count = 0
  return {
    next: () => 0,
    fate: (isMessage) => {
      const fate = fates.get(count++) ?? 'happens'
      return fate === 'lost' && !isMessage ? 'happens' : fate
    },
    knowsKeys,
    get count() {
      return count
    },
  }
}

/** A script and a schedule that follow from a number. */
export function random(seed: number): { readonly scripts: Action[][]; readonly schedule: Schedule } {
  const roll = generator(seed)
  const int = (count: number): number => Math.floor(roll() * count)
  const scripts = Array.from({ length: 1 + int(3) }, (_, tab) => {
    const own = `x${tab}`
    let isCreated = false
    const gone = new Set<string>()
    return Array.from({ length: 1 + int(3) }, () => {
      if (!isCreated && roll() < 0.4) {
        isCreated = true
        return create(own)
      }
      const of = isCreated && roll() < 0.6 ? own : 'a'
      if (gone.has(of)) {
        return edit('b')
      }
      if (of === own && roll() < 0.15) {
        gone.add(of)
        return remove(of)
      }
      return edit(of)
    })
  })
  const [kills, losses] = [roll() * 0.12, roll() * 0.3]
  const most = int(6)
  let killed = 0
  const fate = (isMessage: boolean): Fate => {
    if (killed < most && roll() < kills) {
      killed++
      return roll() < 0.5 ? 'killed before' : 'killed after'
    }
    return isMessage && roll() < losses ? 'lost' : 'happens'
  }
  return { scripts, schedule: { next: (count) => int(count), fate, knowsKeys: roll() < 0.7 } }
}

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
