// Runs, and what is left of them when something is wrong.
import { checkAll, fault } from './check.ts'
import { createStep, type Profile, type ProfileName, PROFILES, type Step } from './profiles.ts'
import { createRandom, hash } from './random.ts'
import { act } from './user.ts'
import { Violation, World } from './world.ts'

/** What a run is a function of. */
export interface RunOptions {
  readonly profile: ProfileName
  readonly seed: number
  readonly steps: number
}

export interface Result {
  /** How many steps there were: of the user, of the server, of the network, of timers. */
  readonly taken: number
  readonly violation?: Violation
  /** The shortest history that was found for it. */
  readonly history?: readonly Step[]
}

/** Until when things must have come to rest after the network healed, in milliseconds. */
const REST = 20_000

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
  const unhandled = (error: unknown): void => world.fault('P1', `an unhandled rejection: ${String(error)}`)
  process.on('unhandledRejection', unhandled)
  const { error, warn } = console
  console.error = console.warn = () => {}
  const check = async (): Promise<void> => {
    await drain()
    world.network.next = undefined
    taken++
    world.takeListings()
    checkAll(world)
  }
  const pass = async (time: number): Promise<void> => {
    const until = world.clock.time + time
    while (world.clock.runNext(until)) {
      // A step at the server changes nothing at the client, so there is nothing new to check.
      if (world.network.isFar) {
        taken++
      } else {
        await check()
      }
      world.network.isFar = false
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

/** The network heals, everything comes to rest, and is read once more. */
async function finish(world: World, pass: (time: number) => Promise<void>, check: () => Promise<void>): Promise<void> {
  const { subject, server, api, sight } = world
  const ask = (endpoint: any, args: readonly any[]): void => {
    world.hand(endpoint.key(...args), subject.fetch(endpoint, args)).catch(() => {})
  }
  world.network.heal()
  // When everything is read once more, all of it is to be seen.
  subject.keep()
  for (const { end } of world.polls.splice(0)) {
    end()
  }
  await check()
  await pass(REST)
  if (world.network.open.size > 0) {
    fault('T1', 'requests go on after everything came to rest')
  }
  for (const open of world.handed) {
    fault('P1', `the promise of ${open.what} never settled`)
  }
  // Later pages go with the list that they belong to.
  if (world.isPaged) {
    for (const { endpoint, args } of sight.lists) {
      void subject.invalidate(endpoint, args)
    }
  }
  // Where no page names the next one, those that are loaded may leave gaps: a page in between would stand behind them.
  if (server.cursors && server.cursors !== 'link') {
    world.forget()
    await subject.reset()
  }
  for (const { endpoint, args } of sight.lists) {
    ask(endpoint, args)
  }
  for (const id of server.rows.keys()) {
    ask(api.get, [{ id }])
  }
  await check()
  await pass(REST)
  for (let page = 2; world.isPaged && (page - 1) * server.size < server.rows.size; page++) {
    for (const { args, group } of sight.lists) {
      ask(api.page, [{ ...args[0], cursor: server.cursor(page, group) }])
    }
    await check()
    await pass(REST)
  }
  checkHealed(world)
  for (const { end } of world.mounted.splice(0)) {
    end()
  }
  await check()
  const { count } = world.network
  await pass(600_000)
  if (world.network.count > count) {
    fault('T1', 'a request was sent after the last reader had gone')
  }
}

/** C1: what is seen is what the server has. */
function checkHealed(world: World): void {
  const { server, api, sight, owners } = world
  for (const [id, { title, body, group, author }] of server.rows) {
    const shown = world.look(api.get, [{ id }]).data as any
    const seen = shown && [shown.title, shown.body, shown.group, shown.author?.id].join()
    if (seen !== [title, body, group, author].join()) {
      fault('C1', `Todo ${id} is ${seen}, on the server it is ${title}`)
    }
  }
  for (const { name, endpoint, args, path, group } of sight.lists) {
    if (path !== 'hot' && owners.get(group ?? '') !== `/${path}`) {
      continue
    }
    const shown = (world.look(endpoint, args).data as any[] | undefined)?.map(({ id }: { id: string }) => id)
    const listed = server.listed(path, group)
    if (String(shown) !== String(listed)) {
      fault('C1', `${name} shows ${String(shown)}, the server ${String(listed)}`)
    }
  }
}

/** Lets all that is queued happen. */
function drain(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}

/** A shorter history that breaks the same promise. */
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
