// Plays runs, and shortens those that violate an invariant.
import { checkAll, fault } from './check.ts'
import { createStep, type Profile, type ProfileName, PROFILES, type Step } from './profiles.ts'
import { createRandom, hash } from './random.ts'
import { act } from './user.ts'
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

/** After the network heals, all requests must be over within this time, in milliseconds. */
const REST_TIME = 20_000

export async function run({ profile, seed, steps }: RunOptions): Promise<Result> {
  const random = createRandom(hash(seed, profile))
  const kind: Profile = PROFILES[profile]
  const history = Array.from({ length: steps }, () => createStep(kind, random))
  return replay(kind, seed, history)
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
  const check = async (): Promise<void> => {
    await drain()
    world.network.next = undefined
    taken++
    world.takeListResponses()
    checkAll(world)
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
    process.off('unhandledRejection', unhandled)
  }
}

/** The network heals, all requests end, and everything is fetched again. */
async function finish(world: World, pass: (time: number) => Promise<void>, check: () => Promise<void>): Promise<void> {
  const { subject, server, api, screen } = world
  const fetch = (endpoint: any, args: readonly any[]): void => {
    world.track(endpoint.key(...args), subject.fetch(endpoint, args)).catch(() => {})
  }
  world.network.heal()
  // Everything is fetched again below, and must still be there when it is compared.
  subject.disableGC()
  for (const { end } of world.polls.splice(0)) {
    end()
  }
  await check()
  await pass(REST_TIME)
  if (world.network.open.size > 0) {
    fault('T1', 'requests are still open after the network has healed')
  }
  for (const open of world.promises) {
    fault('P1', `the promise of ${open.what} never settled`)
  }
  // Invalidating a list removes its pages.
  if (world.isPaged) {
    for (const { endpoint, args } of screen.lists) {
      void subject.invalidate(endpoint, args)
    }
  }
  // Without getNextPage the loaded pages may have gaps, and a page that fills one would come last.
  if (world.isPaged && server.cursors !== 'link') {
    world.forget()
    await subject.reset()
  }
  for (const { endpoint, args } of screen.lists) {
    fetch(endpoint, args)
  }
  for (const id of server.rows.keys()) {
    fetch(api.get, [{ id }])
  }
  for (const id of server.groups.keys()) {
    fetch(api.group, [{ id }])
  }
  await check()
  await pass(REST_TIME)
  for (let page = 2; world.isPaged && (page - 1) * server.size < server.rows.size; page++) {
    for (const { args, group } of screen.lists) {
      fetch(api.page, [{ ...args[0], cursor: server.cursor(page, group) }])
    }
    await check()
    await pass(REST_TIME)
  }
  checkHealed(world)
  for (const { end } of world.mounted.splice(0)) {
    end()
  }
  await check()
  const { count } = world.network
  await pass(600_000)
  if (world.network.count > count) {
    fault('T1', 'a request was sent after the last reader had unmounted')
  }
}

/** C1: readers show the data of the server. */
function checkHealed(world: World): void {
  const { server, api, screen, owners } = world
  for (const [id, { title, body, group, author }] of server.rows) {
    const shown = world.read(api.get, [{ id }]).data as any
    const text = shown && [shown.title, shown.body, shown.group, shown.author?.id].join()
    if (text !== [title, body, group, author].join()) {
      fault('C1', `Todo ${id} is ${text}, on the server it is ${title}`)
    }
  }
  for (const [id, { name }] of server.groups) {
    const shown = (world.read(api.group, [{ id }]).data as any)?.name
    if (shown !== name) {
      fault('C1', `Group ${id} is ${shown}, on the server it is ${name}`)
    }
  }
  for (const { name, endpoint, args, path, group } of screen.lists) {
    if (path !== 'hot' && owners.get(group ?? '') !== `/${path}`) {
      continue
    }
    const shown = (world.read(endpoint, args).data as any[] | undefined)?.map(({ id }: { id: string }) => id)
    const listed = server.listIds(path, group)
    if (String(shown) !== String(listed)) {
      fault('C1', `${name} shows ${String(shown)}, the server has ${String(listed)}`)
    }
  }
}

/** Runs everything that is queued. */
function drain(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}

/** A shorter history that violates the same invariant. */
export async function shrink(profile: Profile, seed: number, history: readonly Step[], code: string): Promise<Step[]> {
  let best = [...history]
  const fails = async (steps: readonly Step[]): Promise<boolean> =>
    (await replay(profile, seed, steps)).violation?.code === code
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
    const still = best.with(i, { ...step, wait: 0 })
    if (step.wait > 0 && (await fails(still))) {
      best = still
    }
  }
  return best
}
