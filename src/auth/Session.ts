import { type Clock, pause, systemClock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail, type RestitchError } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import type { Controller } from '../controller/Controller.ts'
import { announceRenewal } from '../managers/renewal.ts'
import { onAbort, reasonOf } from '../endpoint/signals.ts'
import { report } from '../base/report.ts'
import type { AuthOptions, SignedOutError, SignOutReason } from './AuthOptions.ts'
import { createChannel, LAG, runAlone, type TabMessage } from './tabs.ts'
import { checkTokens, expiryOf, type Tokens } from './Tokens.ts'

/** Milliseconds before the end of a token at which it is refreshed, and between two attempts that fail. */
const MARGIN = 30_000
const PAUSE = 5_000

/** One session, for the requests that were made in it: none of them is sent again as another user. */
export class Era {
  error: SignedOutError | undefined
  private readonly listeners: Set<(error: SignedOutError) => void> = new Set()

  end(error: SignedOutError): void {
    this.error = error
    this.listeners.forEach((listener) => listener(error))
  }

  get isAwaited(): boolean {
    return this.listeners.size > 0
  }

  /** The same promise for one request: rejects when the session ends or the caller aborts. */
  guard(work: Promise<void>, signal: AbortSignal | null | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const ends = onAbort(signal ? [signal] : [], (fired) => reject(reasonOf(fired)))
      this.listeners.add(reject)
      if (signal?.aborted) {
        reject(reasonOf(signal))
      }
      work.then(resolve, reject).finally(() => {
        ends()
        this.listeners.delete(reject)
      })
    })
  }
}

/** The tokens of the user who is signed in, and the one load or refresh that is pending. */
export class Session<T extends Tokens> {
  declare readonly options: AuthOptions<T>
  declare readonly channel: ReturnType<typeof createChannel>
  era: Era = new Era()
  tokens: T | undefined
  controller: Controller | undefined
  /** Tokens that the server issued to this tab; others come from the storage, and may be old. */
  readonly issued: WeakSet<object> = new WeakSet()
  private isLoaded: boolean
  private renewAt = Infinity
  /** Counts sign-ins and sign-outs: the result of a load or refresh from before one of them is dropped. */
  private version = 0
  private work: Promise<void> | undefined
  /** True while the tokens of all tabs are in one storage. */
  private isStored: boolean
  private saving: Promise<unknown> | undefined = undefined
  private readonly name: string

  constructor(options: AuthOptions<T>, name: string) {
    this.options = options
    this.name = `restitch-auth ${name}`
    this.isLoaded = !options.load
    this.isStored = Boolean(options.load && options.save)
    this.channel = createChannel(this.name, (message) => {
      this.onMessage(message).catch(report)
    })
  }

  /** The tokens for a request: loaded, and refreshed if they are about to expire. */
  async ready(era: Era, signal?: AbortSignal | null): Promise<T | undefined> {
    if (!this.isLoaded && !era.error) {
      // A storage can be read at any time, whatever another tab is waiting for.
      const load = (): Promise<void> => this.load()
      await era.guard(this.start(load, !this.isStored), signal)
    }
    const { tokens } = this
    if (tokens && !era.error && this.now() >= this.renewAt) {
      await this.renew(era, tokens, signal).catch((error: unknown) => {
        // The token may still be accepted; if not, the response to the request says so.
        if (this.tokens !== tokens || signal?.aborted) {
          throw error
        }
        this.renewAt = this.now() + PAUSE
      })
    }
    if (era.error) {
      throw era.error
    }
    return this.tokens
  }

  /** Replaces tokens that were used, unless that has happened already. */
  async renew(era: Era, used: T, signal?: AbortSignal | null): Promise<void> {
    while (this.tokens === used) {
      await era.guard(
        this.start(() => this.refresh(used), true),
        signal,
      )
    }
  }

  async signIn(tokens: T): Promise<void> {
    checkTokens(tokens, 'signIn()')
    if (this.tokens) {
      this.close('replaced')
    }
    this.version++
    this.isLoaded = true
    this.put({ ...tokens, session: `${Date.now()}-${Math.random()}` }, true)
    const saved = this.save()
    this.channel.post({ type: 'in', session: this.tokens?.session })
    const isReset = this.controller?.resetEntireStore()
    this.options.onSignIn?.()
    await isReset
    await saved
  }

  /** Ends the session: waiting requests reject first, so that they get this error and not that of the reset. */
  async end(reason: SignOutReason, cause?: unknown): Promise<void> {
    const { controller } = this
    const { isAwaited } = this.era
    const session = this.tokens?.session
    // A tab that has sent nothing, since all of its data was restored, does not know its tokens.
    const isUnknown = reason === 'elsewhere' && !this.isLoaded
    const wasSignedIn = this.tokens !== undefined || reason === 'requested' || isUnknown
    const error = this.close(reason, cause)
    const version = ++this.version
    this.tokens = undefined
    this.renewAt = Infinity
    // In the other cases another tab has written to the storage.
    this.isLoaded = reason !== 'replaced'
    const isOurs = reason === 'requested' || reason === 'refused'
    const saved = isOurs ? this.save() : undefined
    if (isOurs) {
      this.channel.post({ type: 'out', session })
    }
    if (DEV && wasSignedIn && !controller) {
      warnOnce(
        'The user was signed out, but no store was reset. Add the manager of createAuth() to the managers of your store.',
      )
    }
    if (controller && isAwaited) {
      await new Promise<void>((done) => controller.clock.setTimeout(done, 0))
    }
    // A sign-in has reset the store since then.
    if (version === this.version) {
      const isReset = controller?.resetEntireStore()
      // Before the next render: a reader that is still mounted would fetch, without a token.
      if (wasSignedIn) {
        this.options.onSignOut?.(error)
      }
      if (reason === 'replaced') {
        this.options.onSignIn?.()
      }
      await isReset
    }
    await saved
  }

  now(): number {
    return this.clock.now()
  }

  private get clock(): Clock {
    return this.controller?.clock ?? systemClock
  }

  private close(reason: SignOutReason, cause?: unknown): SignedOutError {
    const error = fail('signed-out', reason, DEV && REASONS[reason], Error, { status: 401, reason, cause })
    const { era } = this
    this.era = new Era()
    era.end(error as SignedOutError)
    return error as SignedOutError
  }

  private start(run: () => Promise<void>, isAlone: boolean): Promise<void> {
    return (this.work ??= (isAlone ? runAlone(this.name, this.clock, run, () => this.lag()) : run()).finally(() => {
      this.work = undefined
    }))
  }

  private async load(): Promise<void> {
    const { version } = this
    let found: T | undefined
    try {
      found = await this.read()
    } catch (error) {
      const { status } = Object(error) as { status?: number }
      if (status !== undefined && !isRefusal(error)) {
        throw refreshFailed('load', error)
      }
      // Storage that cannot be read: the user has to sign in. A refusal says that nobody is signed in.
      if (status === undefined) {
        report(error)
      }
    }
    if (version === this.version) {
      this.isLoaded = true
      // Without a storage, `load` has requested them from the server.
      this.put(found, !this.isStored)
    }
  }

  private async refresh(used: T): Promise<void> {
    const { version } = this
    const isOver = (): boolean => version !== this.version
    try {
      const from = await this.readAgain(used)
      if (isOver() || this.follow(from, used)) {
        return
      }
      const result = await Promise.resolve(this.options.refresh(from!)).then(
        (value) => ({ value, cause: undefined, isRefused: false }),
        (cause: unknown) => ({ value: undefined, cause, isRefused: isRefusal(cause) }),
      )
      // The user may have signed out in another tab, or that tab may have refreshed first.
      const since = await this.readAgain(from!)
      if (isOver() || this.follow(since, from!)) {
        return
      }
      if (result.isRefused) {
        this.end('refused', result.cause).catch(report)
      } else if (result.cause !== undefined) {
        throw result.cause as Error
      } else {
        this.put({ ...checkTokens(result.value, 'refresh()'), session: from!.session }, true)
        if (this.controller) {
          announceRenewal(this.controller)
        }
        await this.save()
      }
    } catch (error) {
      throw refreshFailed('refresh', error)
    }
  }

  /** True if the storage says that there is nothing to refresh any more: another tab has changed it. */
  private follow(stored: T | undefined, used: T): boolean {
    if (!stored) {
      this.end('elsewhere').catch(report)
      return true
    }
    if (stored.session !== used.session && stored.session && used.session) {
      this.end('replaced').catch(report)
      return true
    }
    if (stored.accessToken === used.accessToken || expiryOf(stored) <= this.now()) {
      return false
    }
    this.put(stored, false)
    return true
  }

  private async read(): Promise<T | undefined> {
    await this.saving
    const found = await this.options.load?.()
    return found == null ? undefined : checkTokens(found, 'load()')
  }

  private readAgain(used: T): Promise<T | undefined> | T {
    return this.isStored ? this.read() : used
  }

  private put(tokens: T | undefined, isIssued: boolean): void {
    this.tokens = tokens
    this.renewAt = Infinity
    if (!tokens) {
      return
    }
    if (isIssued) {
      this.issued.add(tokens)
    }
    const now = this.now()
    const left = expiryOf(tokens) - now
    if (left > 0) {
      this.renewAt = now + Math.max(left - MARGIN, left / 2)
    } else if (left <= 0 && !isIssued) {
      this.renewAt = now
    }
    // Else the expiry is unknown, or the server has just issued a token that the clock here calls expired: the clock is wrong.
  }

  /**
   * At once, so that the app finds the tokens before the store is reset; one after the other, since a storage that takes its time must not keep what
   * was saved first.
   */
  private save(): Promise<unknown> {
    const { tokens, options } = this
    const write = (): unknown => options.save?.(tokens)
    const saving = (this.saving?.then(write) ?? new Promise((resolve) => resolve(write())))
      .catch((error: unknown) => {
        this.isStored = false
        report(error)
      })
      .finally(() => {
        if (this.saving === saving) {
          this.saving = undefined
        }
      })
    return (this.saving = saving)
  }

  private async onMessage({ type, session }: TabMessage): Promise<void> {
    const { tokens, version, options } = this
    if (!options.load) {
      return
    }
    if (type === 'out' && (tokens ? tokens.session === session : !this.isLoaded)) {
      return this.end('elsewhere')
    }
    if (!this.isStored) {
      return type === 'in' ? this.end('replaced') : undefined
    }
    // Each tab may have a storage of its own, such as the sessionStorage: only reading it shows whether it has changed.
    await this.lag()
    const stored = await this.read()
    if (version !== this.version) {
      return undefined
    }
    if (tokens) {
      this.follow(stored, tokens)
    } else if (stored) {
      return this.end('replaced')
    }
    return undefined
  }

  private lag(): Promise<void> {
    return pause(this.clock, this.isStored ? LAG : 0)
  }
}

const REASONS: Record<SignOutReason, string> = {
  requested: 'The user signed out while the request waited for a token.',
  refused: 'The server refused to refresh the token, so the user was signed out. "cause" says why.',
  elsewhere: 'The user signed out in another tab.',
  replaced: 'Another session began, here or in another tab, while the request waited for a token.',
}

/** The server itself said no. A proxy that is down, a page of a captive portal and a limit say nothing about the session. */
function isRefusal(error: unknown): boolean {
  const { status = 0, refused } = Object(error) as { status?: number; refused?: boolean }
  return status >= 400 && status < 500 && !refused && ![408, 425, 429].includes(status)
}

/** Rejects the requests that waited; the session goes on, and the next request tries again. */
function refreshFailed(step: string, cause: unknown): RestitchError {
  return fail(
    'auth-refresh',
    step,
    DEV &&
      `The token could not be renewed, because ${step}() failed: ${(cause as Error | undefined)?.message ?? 'no reason'}. The user stays signed in, and the next request tries again.`,
    Error,
    { status: 500, cause },
  )
}
