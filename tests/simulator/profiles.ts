import type { Conditions } from './network.ts'
import type { Random } from './random.ts'
import type { ResponseFormat } from './server.ts'

/** The kinds of steps. */
export type Action =
  | 'get'
  | 'list'
  | 'page'
  | 'hot'
  | 'archive'
  | 'person'
  | 'count'
  | 'push'
  | 'unshift'
  | 'put'
  | 'patch'
  | 'delete'
  | 'move'
  | 'regroup'
  | 'remove'
  | 'putPerson'
  | 'group'
  | 'groups'
  | 'putGroup'
  | 'patchGroup'
  | 'setGroup'
  | 'event'
  | 'eventWith'
  | 'eventResponse'
  | 'eventCreate'
  | 'eventDelete'
  | 'invalidate'
  | 'expire'
  | 'reset'
  | 'abort'
  | 'leave'
  | 'mount'
  | 'unmount'
  | 'suspend'
  | 'poll'
  | 'unpoll'
  | 'reload'
  | 'foreign'
  | 'drop'
  | 'hide'
  | 'show'
  | 'jump'
  | 'rest'
  | 'wait'

/** One step: an action, the wait before it, and numbers that choose its target and details. */
export interface Step {
  readonly do: Action
  /** Milliseconds before it. */
  readonly wait: number
  /** Chooses the record, list, reader or request. */
  readonly which: number
  /** Chooses details: the group, the outcome of its request. */
  readonly how: number
  /** A mutation that is shown at once. */
  readonly optimistic: boolean
}

/** A kind of network, of server and of user. */
export interface Profile {
  readonly actions: Readonly<Partial<Record<Action, number>>>
  readonly conditions: Conditions
  readonly format?: ResponseFormat
  /** The share of responses that arrive twice. */
  readonly duplicates?: number
  /** The longest pause between two steps, in milliseconds. */
  readonly pause: number
  /** The share of mutations that are optimistic. */
  readonly optimistic: number
  /** How many records the steps are about; by default all. */
  readonly focus?: number
  /** Data without a reader is collected after so many milliseconds. */
  readonly garbage?: number
  /** There are lists that only the server understands. After each write they are fetched, which mends records; by default in every second run. */
  readonly searches?: boolean
  /** The server announces every change, in order, within so many milliseconds. */
  readonly stream?: number
  /** These announcements come over a live connection, and what they put in doubt is fetched within so many milliseconds. */
  readonly spread?: number
}

/** One in so many steps is a rest, and so many readers are mounted at the start. */
const REST_INTERVAL = 15
const MOUNTED = 8

const RELIABLE: Conditions = { outcomes: { ok: 1 }, latency: 60 }
const UNRELIABLE: Conditions = {
  outcomes: { ok: 30, lost: 2, lostResponse: 2, down: 1, busy: 1, truncated: 1, hang: 1 },
  latency: 60,
}
/** Mutations fail, reads do not: nothing but the library itself makes up for what is lost. */
const LOSING: Conditions = {
  outcomes: { ok: 12, lost: 1, lostResponse: 2, down: 1 },
  reads: { ok: 1 },
  latency: 60,
}

/** Own writes, and what everybody does on a page. */
const OWN: Profile['actions'] = {
  get: 3,
  list: 4,
  push: 5,
  unshift: 2,
  put: 4,
  patch: 6,
  delete: 4,
  move: 4,
  regroup: 4,
  putPerson: 1,
  mount: 8,
  unmount: 4,
  invalidate: 1,
  expire: 0.5,
  wait: 8,
}
const EVENTS: Profile['actions'] = { event: 6, eventWith: 2, eventCreate: 3, eventDelete: 2 }
/** Everything. */
const MIXED: Profile['actions'] = {
  ...OWN,
  hot: 2,
  person: 2,
  count: 1,
  remove: 2,
  event: 2,
  eventWith: 1,
  eventResponse: 1,
  reset: 1,
  abort: 1,
  suspend: 2,
  poll: 2,
  unpoll: 1,
  reload: 0.5,
  foreign: 5,
}

export type ProfileName =
  | 'mixed'
  | 'own'
  | 'reordering'
  | 'events'
  | 'stream'
  | 'spread'
  | 'losses'
  | 'polling'
  | 'partial'
  | 'writes'
  | 'pairs'
  | 'echoes'
  | 'paths'
  | 'pages'
  | 'cursors'
  | 'loadMore'
  | 'counts'
  | 'countedPages'
  | 'clock'
  | 'garbage'
  | 'leaving'
  | 'nested'

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  mixed: { actions: MIXED, conditions: UNRELIABLE, pause: 30, optimistic: 0.6, duplicates: 0.1 },
  // Nobody else writes, and the network is reliable.
  own: { actions: { ...OWN, remove: 1 }, conditions: RELIABLE, pause: 60, optimistic: 0.5 },
  reordering: {
    actions: { ...OWN, patch: 8, put: 6 },
    conditions: { ...RELIABLE, latency: 200, reorders: true },
    pause: 40,
    optimistic: 0.3,
    focus: 4,
  },
  // The server announces what others change at once, and only that.
  events: { actions: { ...OWN, ...EVENTS }, conditions: RELIABLE, pause: 60, optimistic: 0.4 },
  // It announces everything a little later, also the client's own writes.
  stream: {
    actions: { ...OWN, foreign: 10, poll: 1, unpoll: 1 },
    conditions: RELIABLE,
    pause: 60,
    optimistic: 0.4,
    stream: 80,
  },
  // Over a live connection, which is lost now and then; what it puts in doubt is spread. The page is hidden for a while.
  spread: {
    actions: {
      ...OWN,
      foreign: 12,
      drop: 1,
      hide: 1.5,
      show: 2,
      expire: 0,
      suspend: 1,
      poll: 0.5,
      unpoll: 0.5,
      reset: 0.2,
    },
    conditions: RELIABLE,
    searches: true,
    pause: 400,
    optimistic: 0.4,
    stream: 80,
    spread: 3_000,
  },
  losses: {
    actions: { ...OWN, event: 3, eventDelete: 1, suspend: 1, reload: 0.3, reset: 0.3 },
    conditions: LOSING,
    pause: 60,
    optimistic: 0.5,
  },
  polling: {
    actions: { ...MIXED, poll: 8, get: 2, list: 2, push: 6, patch: 8, delete: 4, foreign: 8, reset: 0.3, unpoll: 0.5 },
    conditions: { outcomes: { ok: 20, lost: 1, down: 1 }, latency: 120 },
    pause: 60,
    optimistic: 0.5,
  },
  partial: { actions: OWN, conditions: LOSING, format: { partial: true }, pause: 40, optimistic: 0.5 },
  // Overlapping writes of two records.
  writes: {
    actions: {
      put: 10,
      patch: 10,
      delete: 3,
      move: 6,
      remove: 2,
      push: 4,
      get: 6,
      list: 4,
      eventWith: 3,
      mount: 3,
      wait: 4,
    },
    conditions: { outcomes: { ok: 12, down: 1, lost: 1 }, reads: { ok: 1 }, latency: 100 },
    pause: 12,
    optimistic: 0.8,
    focus: 2,
  },
  // Two writes of one record at a time, and a pause in which everything arrives.
  pairs: {
    actions: { patch: 12, regroup: 4, put: 2, delete: 0.7, get: 1, list: 1, mount: 2, rest: 8 },
    conditions: { outcomes: { ok: 1 }, latency: 80, reorders: true },
    pause: 20,
    optimistic: 0.3,
    focus: 1,
    searches: false,
  },
  // Records that the client creates, deletes and changes while events about them arrive.
  echoes: {
    actions: {
      push: 6,
      delete: 6,
      put: 4,
      patch: 4,
      regroup: 4,
      foreign: 6,
      list: 2,
      get: 2,
      mount: 3,
      wait: 4,
      rest: 2,
    },
    conditions: { outcomes: { ok: 1 }, latency: 100 },
    pause: 30,
    optimistic: 0.5,
    focus: 3,
    stream: 150,
  },
  paths: {
    actions: { ...MIXED, archive: 8, hot: 6, list: 10, invalidate: 3 },
    searches: true,
    conditions: UNRELIABLE,
    pause: 30,
    optimistic: 0.4,
  },
  pages: {
    actions: { ...OWN, page: 10, list: 2, reset: 0.3 },
    conditions: LOSING,
    format: { paged: true },
    pause: 40,
    optimistic: 0.4,
  },
  cursors: {
    actions: { ...OWN, page: 14, list: 2, foreign: 6, poll: 1, unpoll: 1, abort: 0.5, reset: 0.3, reload: 0.3 },
    conditions: UNRELIABLE,
    format: { paged: true, cursors: true },
    pause: 30,
    optimistic: 0.4,
  },
  // Pages while records come and go, announced by events.
  loadMore: {
    actions: {
      ...EVENTS,
      page: 12,
      list: 1,
      push: 3,
      unshift: 3,
      delete: 5,
      move: 2,
      patch: 2,
      mount: 6,
      unmount: 2,
      wait: 6,
    },
    conditions: RELIABLE,
    format: { paged: true, cursors: true },
    pause: 40,
    optimistic: 0.4,
  },
  counts: {
    actions: { ...OWN, ...EVENTS },
    conditions: RELIABLE,
    format: { counted: true },
    pause: 60,
    optimistic: 0.4,
  },
  countedPages: {
    actions: { ...OWN, page: 10, event: 2, eventDelete: 1 },
    conditions: RELIABLE,
    format: { counted: true, paged: true, cursors: true },
    pause: 40,
    optimistic: 0.4,
  },
  clock: {
    actions: { ...MIXED, jump: 8, wait: 8, poll: 4 },
    conditions: UNRELIABLE,
    pause: 30,
    optimistic: 0.5,
  },
  garbage: {
    actions: { ...OWN, mount: 8, unmount: 8, wait: 8, get: 10, reset: 0.3 },
    conditions: { ...LOSING, latency: 100 },
    pause: 80,
    optimistic: 0.5,
    garbage: 400,
  },
  // Callers share requests, and each may abort on its own. No step aborts a whole request, so the others never see an abort.
  leaving: {
    actions: { ...MIXED, leave: 12, get: 10, list: 10, mount: 4, abort: 0, reload: 0, reset: 0.3 },
    conditions: { ...UNRELIABLE, latency: 120 },
    pause: 20,
    optimistic: 0.4,
    focus: 3,
  },
  // Records contain lists, which have an endpoint of their own, too.
  nested: {
    actions: {
      ...OWN,
      group: 6,
      groups: 4,
      putGroup: 6,
      patchGroup: 3,
      setGroup: 2,
      event: 2,
      suspend: 1,
      reload: 0.5,
    },
    conditions: LOSING,
    format: { nested: true },
    pause: 60,
    optimistic: 0.5,
    garbage: 400,
  },
}

/** The steps of a run. It begins with readers. */
export function createHistory(profile: Profile, random: Random, length: number): Step[] {
  const actions = {
    rest: Object.values(profile.actions).reduce((sum, weight) => sum + weight, 0) / REST_INTERVAL,
    ...profile.actions,
  }
  return Array.from({ length }, (_, i) => ({
    do: i < MOUNTED ? 'mount' : random.weigh<Action>(actions),
    // Often in the same millisecond as the step before.
    wait: random.chance(0.4) ? 0 : random.below(profile.pause),
    which: random.below(1_000_000),
    how: random.below(1_000_000),
    optimistic: random.chance(profile.optimistic),
  }))
}
