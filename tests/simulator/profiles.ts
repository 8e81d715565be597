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
  | 'remove'
  | 'putPerson'
  | 'group'
  | 'groups'
  | 'putGroup'
  | 'patchGroup'
  | 'setGroup'
  | 'set'
  | 'setWith'
  | 'setResponse'
  | 'serverPush'
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
  | 'jump'
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
  /** Now and then nothing happens for so many milliseconds: all responses arrive, and readers refetch stale data. */
  readonly rest?: number
  /** No other client writes: at rest, every mounted list must equal the server's. */
  readonly isAlone?: boolean
}

/** One in so many steps comes after a rest. */
const REST_INTERVAL = 8

const UNRELIABLE: Conditions = {
  outcomes: { ok: 30, lost: 2, lostResponse: 2, down: 1, busy: 1, truncated: 1, hang: 1 },
  latency: 60,
}
const MIXED: Profile['actions'] = {
  get: 8,
  list: 8,
  hot: 2,
  person: 2,
  count: 1,
  push: 4,
  unshift: 2,
  put: 4,
  patch: 5,
  delete: 3,
  move: 4,
  remove: 2,
  putPerson: 2,
  set: 2,
  setWith: 2,
  setResponse: 1,
  invalidate: 2,
  expire: 1,
  reset: 1,
  abort: 1,
  mount: 6,
  unmount: 3,
  suspend: 2,
  poll: 2,
  unpoll: 1,
  reload: 0.5,
  foreign: 5,
  wait: 6,
}

export type ProfileName =
  | 'mixed'
  | 'polling'
  | 'partial'
  | 'writes'
  | 'paths'
  | 'pages'
  | 'clock'
  | 'garbage'
  | 'unknown'
  | 'leaving'
  | 'cursors'
  | 'nested'

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  mixed: { actions: MIXED, conditions: UNRELIABLE, pause: 30, optimistic: 0.6, duplicates: 0.1 },
  polling: {
    actions: { ...MIXED, poll: 8, get: 2, list: 2, push: 6, patch: 8, delete: 4, foreign: 8, reset: 0.3, unpoll: 0.5 },
    conditions: { outcomes: { ok: 20, lost: 1, down: 1 }, latency: 120 },
    pause: 60,
    optimistic: 0.5,
  },
  partial: { actions: MIXED, conditions: UNRELIABLE, format: { partial: true }, pause: 30, optimistic: 0.5 },
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
      setWith: 3,
      mount: 3,
      wait: 4,
      foreign: 1,
    },
    conditions: { outcomes: { ok: 12, down: 1, lost: 1 }, latency: 100 },
    pause: 12,
    optimistic: 0.8,
    focus: 2,
  },
  paths: {
    actions: { ...MIXED, archive: 8, hot: 6, list: 10, invalidate: 3 },
    conditions: UNRELIABLE,
    pause: 30,
    optimistic: 0.4,
  },
  pages: {
    actions: { ...MIXED, page: 10, list: 8, push: 6, hot: 0 },
    conditions: UNRELIABLE,
    format: { paged: true },
    pause: 30,
    optimistic: 0.4,
  },
  cursors: {
    // Mostly reads, so that responses decide the place of most records.
    actions: {
      page: 30,
      list: 6,
      get: 2,
      push: 1,
      unshift: 1,
      move: 1,
      remove: 0.5,
      patch: 4,
      delete: 2,
      foreign: 12,
      mount: 4,
      unmount: 2,
      suspend: 1,
      poll: 1,
      unpoll: 1,
      invalidate: 0.5,
      expire: 1,
      abort: 0.5,
      reset: 0.3,
      reload: 0.3,
      wait: 6,
    },
    conditions: UNRELIABLE,
    format: { paged: true, cursors: true },
    pause: 30,
    optimistic: 0.4,
  },
  clock: {
    actions: { ...MIXED, jump: 8, wait: 8, poll: 4 },
    conditions: UNRELIABLE,
    pause: 30,
    optimistic: 0.5,
  },
  garbage: {
    actions: { ...MIXED, mount: 8, unmount: 8, wait: 8, get: 10, reset: 0.3 },
    // Requests take longer than data is kept.
    conditions: { ...UNRELIABLE, latency: 200 },
    pause: 40,
    optimistic: 0.5,
    garbage: 20,
  },
  // Callers share requests, and each may abort on its own. No step aborts a whole request, so the others never see an abort.
  leaving: {
    actions: { ...MIXED, leave: 12, get: 10, list: 10, mount: 4, abort: 0, reload: 0, reset: 0.3 },
    conditions: { ...UNRELIABLE, latency: 120 },
    pause: 20,
    optimistic: 0.4,
    focus: 3,
  },
  unknown: {
    actions: {
      get: 3,
      list: 4,
      hot: 2,
      push: 6,
      unshift: 2,
      put: 5,
      patch: 8,
      delete: 4,
      move: 4,
      serverPush: 6,
      mount: 12,
      unmount: 3,
      suspend: 1,
      invalidate: 1,
      expire: 1,
      reload: 0.5,
      wait: 10,
    },
    conditions: { outcomes: { ok: 12, lost: 1, lostResponse: 1, down: 1 }, reads: { ok: 1 }, latency: 60 },
    pause: 60,
    optimistic: 0.5,
    isAlone: true,
  },
  // Records contain lists, which have an endpoint of their own, too.
  nested: {
    actions: {
      group: 6,
      groups: 4,
      list: 6,
      get: 3,
      push: 5,
      unshift: 1,
      put: 3,
      patch: 2,
      move: 6,
      delete: 4,
      putGroup: 6,
      patchGroup: 3,
      setGroup: 2,
      serverPush: 2,
      mount: 14,
      unmount: 5,
      suspend: 1,
      invalidate: 1,
      expire: 1,
      reload: 0.5,
      wait: 8,
    },
    conditions: { outcomes: { ok: 12, lost: 1, lostResponse: 3, down: 1 }, reads: { ok: 1 }, latency: 60 },
    format: { nested: true },
    pause: 60,
    optimistic: 0.5,
    garbage: 400,
    rest: 300,
    isAlone: true,
  },
}

export function createStep(profile: Profile, random: Random): Step {
  const step: Step = {
    do: random.weigh(profile.actions),
    // Often in the same millisecond as the step before.
    wait: random.chance(0.4) ? 0 : random.below(profile.pause),
    which: random.below(1_000_000),
    how: random.below(1_000_000),
    optimistic: random.chance(profile.optimistic),
  }
  return profile.rest !== undefined && step.how % REST_INTERVAL === 0 ? { ...step, wait: profile.rest } : step
}
