// Plays runs, and shortens those that violate an invariant.
import { checkStep, fault } from './check.ts'
import { createHistory, type Profile, type ProfileName, PROFILES, type Step } from './profiles.ts'
import { createRandom, hash } from './random.ts'
import { checkRest } from './rest.ts'
import { act, mountEndpoint } from './user.ts'
import { Violation, World } from './world.ts'

/** Determines a run completely. */
export interface RunOptions {
  readonly profile: ProfileName
  readonly seed: number
  readonly steps: number
}

export interface Result {
  /** The number of steps: of the user, the server, the network and timers. */
  readonly taken: number
  readonly violation?: Violation
  /** The steps that led to it. */
  readonly history?: readonly Step[]
}

/** Rest: no request is open, and none was sent for so many milliseconds. The library waits at most 4 seconds before it asks. */
const QUIET = 5_000
/** It has to be reached within so many milliseconds. */
const REST_LIMIT = 120_000

export async function run({ profile, seed, steps }: RunOptions): Promise<Result> {
  const random = createRandom(hash(seed, profile))
  return replay(PROFILES[profile], seed, createHistory(PROFILES[profile], random, steps))
}

/** Plays a history. */
export async function replay(
  profile: Profile,
  seed: number,
  history: readonly Step[],
  log?: (text: string) => void,
): Promise<Result> {
  const world = new World(profile, seed)
  world.log = log
  let taken = 0
  const unhandled = (error: unknown): void => world.fault('P1', `unhandled rejection: ${String(error)}`)
  process.on('unhandledRejection', unhandled)
  const { error, warn } = console
  console.error = console.warn = () => {}
  // Errors that the library reports, such as a row that breaks an invariant (`store/checkRow.ts`), are faults.
  const before = Object.getOwnPropertyDescriptor(globalThis, 'reportError')
  globalThis.reportError = (reported) => world.fault('ROW', String(reported))
  const check = async (): Promise<void> => {
    await drain()
    world.network.next = undefined
    taken++
    checkStep(world)
  }
  const pass = async (time: number): Promise<void> => {
    const until = world.clock.time + time
    while (world.clock.runNext(until)) {
      // A step on the server changes nothing in the client, so there is nothing new to check.
      if (world.network.isServerStep) {
        taken++
      } else {
        await check()
      }
      world.network.isServerStep = false
    }
    world.clock.time = until
  }
  try {
    for (const step of history) {
      await pass(step.wait)
      act(world, step)
      await check()
      if (step.do === 'rest') {
        await rest(world, pass, check)
      }
    }
    await finish(world, pass, check)
    return { taken }
  } catch (thrown) {
    const violation =
      thrown instanceof Violation ? thrown : new Violation('CRASH', (thrown as Error).stack ?? String(thrown))
    return { taken, violation, history }
  } finally {
    world.subject.stop()
    console.error = error
    console.warn = warn
    Object.defineProperty(globalThis, 'reportError', before ?? { value: undefined, configurable: true, writable: true })
    process.off('unhandledRejection', unhandled)
  }
}

/** The network heals for a while, nobody does anything, and all requests end. */
async function rest(world: World, pass: (time: number) => Promise<void>, check: () => Promise<void>): Promise<void> {
  const { network, clock, polls, stream } = world
  const { conditions } = network
  network.heal()
  stream?.setHidden(false)
  for (const { end } of polls.splice(0)) {
    end()
  }
  await check()
  await idle(world, pass)
  if (world.isUnsure || world.server.hasRestored || world.mounted.some(({ what }) => world.failed.has(what))) {
    // Others have changed something, or the library has stopped trying: the user looks again.
    world.failed.clear()
    for (const { refetch } of world.mounted) {
      refetch()
    }
    await check()
    await idle(world, pass)
  }
  world.log?.(`rest at ${clock.time}`)
  checkRest(world)
  network.conditions = conditions
}

async function idle(world: World, pass: (time: number) => Promise<void>): Promise<void> {
  const { network, clock } = world
  const limit = clock.time + REST_LIMIT
  // What a connection that is open again puts in doubt is fetched within `spread`: it has to be open for a whole interval.
  let wasOpen = false
  for (let count = -1; count !== network.count || network.open.size > 0 || !wasOpen;) {
    count = network.count
    wasOpen = world.stream?.isOpen !== false
    await pass(QUIET)
    if (clock.time > limit) {
      fault('D3', 'rest is not reached')
    }
  }
}

/** The network heals, everything is mounted, and then nothing. */
async function finish(world: World, pass: (time: number) => Promise<void>, check: () => Promise<void>): Promise<void> {
  const { server, api, screen, mounted } = world
  await rest(world, pass, check)
  for (const open of world.promises) {
    fault('P1', `the promise of ${open.what} never settled`)
  }
  const targets: (readonly [any, readonly any[]])[] = [
    ...[...screen.lists, ...screen.searches].map(({ endpoint, args }) => [endpoint, args] as const),
    ...server.known.map((id) => [api.get, [{ id }]] as const),
    ...[...server.groups.keys()].map((id) => [api.group, [{ id }]] as const),
  ]
  for (const [endpoint, args] of targets) {
    if (!mounted.some(({ what }) => what === endpoint.key(...args))) {
      mountEndpoint(world, endpoint, args)
    }
  }
  await rest(world, pass, check)
  for (const { end } of mounted.splice(0)) {
    end()
  }
  await check()
  const { count } = world.network
  await pass(60_000)
  if (world.network.count > count) {
    fault('T1', 'a request was sent after the last reader had unmounted')
  }
}

/** Runs everything that is queued. */
function drain(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}

/** A shorter history that violates the same invariant in the same way. */
export async function shrink(
  profile: Profile,
  seed: number,
  history: readonly Step[],
  violation: Violation,
): Promise<Step[]> {
  let best = [...history]
  const fails = async (steps: readonly Step[]): Promise<boolean> => {
    const { violation: found } = await replay(profile, seed, steps)
    return found !== undefined && kindOf(found) === kindOf(violation)
  }
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.length;) {
      const shorter = [...best.slice(0, from), ...best.slice(from + size)]
      if (await fails(shorter)) {
        best = shorter
      } else {
        from += size
      }
    }
  }
  for (const [i, step] of best.entries()) {
    for (const still of [
      { ...step, wait: 0 },
      { ...step, optimistic: false },
    ]) {
      if (still.wait !== step.wait || still.optimistic !== step.optimistic) {
        const calmer = best.with(i, {
          ...best[i]!,
          ...(still.wait === step.wait ? { optimistic: false } : { wait: 0 }),
        })
        if (await fails(calmer)) {
          best = calmer
        }
      }
    }
  }
  return best
}

/** The text of a violation without the values. */
function kindOf({ message }: Violation): string {
  return message
    .replaceAll(/http\S+|"[^"]*"|[[{].*?[\]}]|\bown\d/g, '')
    .replaceAll(/[\d,#]/g, '')
    .replaceAll(/\s+/g, ' ')
}
