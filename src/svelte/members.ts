import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { afterRender, soon } from '../base/clock.ts'
import type { Source } from '../binding/createPolling.ts'
import { isOnServer } from '../binding/onServer.ts'
import type { Controller } from '../controller/Controller.ts'
import { isHydrating, whenHydrated } from './context.ts'

/** How a member follows from a source. `isFirst`: as the page from the server shows it. */
export type Member<S> = (source: S, isFirst: boolean) => unknown

/**
 * An object that follows a source while effects and components read it. Each member that they have read tells them alone when it has changed.
 *
 * @param source the source for the arguments of now; what it reads is tracked
 * @param load called with a source that is followed, and when it has changed; and on a server, with one that is read
 */
export function createMembers<S extends Source>(
  controller: Controller,
  source: () => S,
  members: Readonly<Record<string, Member<S>>>,
  load?: (source: S) => void,
): object {
  const isServer = isOnServer(controller)
  const shown = new Shown(controller, source, load)
  const result = {}
  for (const [name, member] of Object.entries(members)) {
    let subscribe: (() => void) | undefined
    const get = (): unknown => {
      const current = shown.update()
      subscribe ??= createSubscriber((update) => shown.follow(name, { member, update }))
      subscribe()
      return untrack(() => {
        if (isServer) {
          load?.(current)
        }
        return shown.read(name, member)
      })
    }
    Object.defineProperty(result, name, { enumerable: true, configurable: true, get })
  }
  return result
}

/** A source that another one is followed with. */
export function joinSources<S extends Source, P extends Source>(
  sourceOf: () => S,
  partOf: () => P,
): () => S & { readonly part: P } {
  let joined: (S & { readonly source: S; readonly part: P }) | undefined
  return () => {
    const [source, part] = [sourceOf(), partOf()]
    if (joined?.source !== source || joined.part !== part) {
      const subscribe = (notify: () => void): (() => void) => {
        const ends = [source, part].map((one) => one.subscribe(notify))
        return () => ends.forEach((end) => end())
      }
      joined = Object.assign(Object.create(source), { source, part, subscribe }) as NonNullable<typeof joined>
    }
    return joined
  }
}

interface Follower<S> {
  readonly member: Member<S>
  readonly update: () => void
}

/** The source that is shown, and what is read of it. */
class Shown<S extends Source> {
  readonly controller: Controller
  readonly #source: () => S
  readonly #load: ((source: S) => void) | undefined
  readonly #followers = new Map<string, Follower<S>>()
  /** The value of each member when it was read last. */
  readonly #last = new Map<string, unknown>()
  #current: S | undefined
  #end: (() => void) | undefined
  /** Svelte refuses a change of state while it computes. */
  #isReading = false

  constructor(controller: Controller, source: () => S, load: ((source: S) => void) | undefined) {
    this.controller = controller
    this.#source = source
    this.#load = load
  }

  /** The source for the arguments of now. */
  update(): S {
    const source = this.#source()
    if (source !== this.#current) {
      this.#current = source
      if (this.#end) {
        // Nothing that runs here is tracked: an endpoint may read the state of the app.
        untrack(() => this.#start(source))
      }
    }
    return source
  }

  read(name: string, member: Member<S>): unknown {
    const value = member(this.#current!, this.#isFirst)
    this.#last.set(name, value)
    return value
  }

  follow(name: string, follower: Follower<S>): () => void {
    this.#followers.set(name, follower)
    if (!this.#end) {
      this.#start(this.#current!)
    }
    return () => {
      this.#followers.delete(name)
      if (this.#followers.size === 0) {
        this.#end?.()
        this.#end = undefined
      }
    }
  }

  #start(source: S): void {
    this.#isReading = true
    // The new one first, so that records which both show are kept.
    const last = this.#end
    const ends = [source.subscribe(this.#notify), whenHydrated(this.controller, this.#notify)]
    this.#end = () => ends.forEach((end) => end())
    last?.()
    this.#load?.(source)
    this.#isReading = false
  }

  readonly #notify = (): void => {
    if (this.#isReading) {
      soon(this.#notify)
      return
    }
    if (!this.#end) {
      return
    }
    untrack(() => {
      const current = this.#current!
      // A sign-out removes data, and then the component.
      void afterRender(() => {
        if (this.#end && current === this.#current) {
          untrack(() => this.#load?.(current))
        }
      })
      for (const [name, { member, update }] of this.#followers) {
        if (!Object.is(member(current, this.#isFirst), this.#last.get(name))) {
          update()
        }
      }
    })
  }

  get #isFirst(): boolean {
    return isOnServer(this.controller) || isHydrating(this.controller)
  }
}
