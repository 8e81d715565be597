// Says what happens when, between a store and its database.
//
// | when                                   | what                                                                      |
// | -------------------------------------- | ------------------------------------------------------------------------- |
// | the store starts                       | the database of the user is opened, and its rows are restored             |
// | a reader lacks data                    | it waits for that, 500 ms at most; later its rows are looked up           |
// | committed rows have changed            | they are written, in idle time                                            |
// | the page is hidden                     | all that is not written is written                                        |
// | the store is reset                     | rows are deleted, the session ends, and the database is closed            |
// | a response is accepted after that      | the database of the user is opened again                                  |
// | another tab has ended the session      | the store is reset, and the database is closed                            |
// | the app has another user               | the same, if the app has not reset the store                              |

import { deferred, NOW, pause } from '../base/clock.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Middleware } from '../controller/Middleware.ts'
import { Disk } from '../disk/Disk.ts'
import { Shout } from '../disk/Shout.ts'
import { diskOf } from '../disk/diskOf.ts'
import { userChanged } from '../disk/userChanged.ts'
import type { Globals } from '../managers/globals.ts'
import type { Manager } from '../managers/Manager.ts'
import type { ActionTypes } from '../requests/actions.ts'
import { EXPIREALL, FETCH, INVALIDATEALL, RESET, SET, SET_RESPONSE } from '../requests/actionTypes.ts'
import type { SharedView } from '../views/SharedView.ts'
import { Choice } from './Choice.ts'
import { endSession, isExpiry } from './endSession.ts'
import { persistedOf } from './persistedOf.ts'
import type { PersistOptions } from './PersistOptions.ts'
import { recallRows } from './recallRows.ts'
import { Restorer } from './Restorer.ts'
import { Saver } from './Saver.ts'
import { dropVersions, useVersion } from './versions.ts'

/** Milliseconds for which readers wait for the database; then the network goes first. */
const PATIENCE = 500

export class PersistManager implements Manager {
  private readonly options: PersistOptions
  private parts: Parts | undefined
  private endListening: (() => void) | undefined
  private startedAt = 0
  /** Resolves when rows have been restored, or cannot be. */
  private restored = deferred<void>()
  private isRestored = false
  /** The user whose session has ended here; a response that is accepted opens the database again. */
  private endedUser: string | undefined
  /** Their session has ended in another tab: only another user opens a database. */
  private isEndedElsewhere = false
  /** The users as whom this tab has fetched since its store was reset, as far as it is known. */
  private readonly fetchedAs = new Set<string | undefined>()
  private isAsking = false
  /** The store is being reset, and readers fetch again. */
  private isEnding = false
  /** The server has refused the user, and accepted nothing since. */
  private isRefused = false
  private turn = 0
  /** Resolves when the session that ends has ended on the disk. */
  private ended: Promise<void> | undefined
  /** Tells the other tabs that the session has ended. */
  private shout: Shout | undefined
  private leave: () => void = () => {}

  constructor(options: PersistOptions) {
    this.options = options
  }

  readonly middleware: Middleware = (controller) => {
    const { options } = this
    const disk = diskOf(controller, () => new Disk(options, controller.clock))
    const saver = new Saver(controller, disk, new Choice(options), this.version)
    const restorer = new Restorer(controller, disk, saver, options.maxAge)
    this.parts = { controller, disk, saver, restorer }
    controller.core.persisted = persistedOf(disk, saver, restorer, () => this.restored.promise)
    // The first render reads before the store is started.
    if (this.hasStorage) {
      this.follow()
    }
    return (next) => (action) => {
      this.see(action)
      if (action.type !== RESET) {
        return next(action)
      }
      this.isEnding = true
      const done = next(action)
      this.isEnding = false
      void this.end()
      return done
    }
  }

  init(): void {
    const { controller, disk, saver, restorer } = this.parts!
    // On a server there is no database to wait for.
    if (!this.hasStorage) {
      void disk.open()
      return this.settle()
    }
    const { core } = controller
    this.follow()
    core.onResponse = ({ action }, { headers }) => {
      if (/\bno-store\b/i.test(headers.get('cache-control') ?? '')) {
        saver.unstorable.add(action.meta.sent)
      }
    }
    const endings = [
      core.store.committed.listen((changes) => !restorer.isRestoring && saver.note(changes)),
      listen((globalThis as Globals).document, 'visibilitychange', () => this.onVisibility()),
      listen(globalThis, 'pagehide', () => saver.flushLast()),
    ]
    disk.rows = () => saver.writes()
    disk.makeRoom = () => saver.makeRoom()
    disk.onEnded = () => this.onEnded()
    disk.onOther = () => this.onOther()
    // The user of a fetch is known before it begins, so that it belongs to what comes after the reset.
    core.onCall = () => void disk.check()
    this.endListening = () => endings.forEach((end) => end())
    void this.open()
  }

  cleanup(): void {
    const { controller, saver } = this.parts!
    this.turn++
    this.endListening?.()
    const { core } = controller
    this.endListening = core.recall = core.onResponse = core.onCall = undefined
    void this.close(saver.flush())
  }

  private async close(flushed: Promise<void>): Promise<void> {
    const { disk, saver } = this.parts!
    await flushed
    // A store that has been started again goes on.
    if (!this.endListening) {
      this.leave()
      saver.clear()
      disk.close()
    }
  }

  /** Opens the database of the user, and restores its rows. */
  private async open(): Promise<void> {
    const { controller, disk, saver, restorer } = this.parts!
    const turn = ++this.turn
    if (this.ended) {
      await this.ended
      if (turn !== this.turn) {
        return
      }
    }
    await disk.open()
    if (turn !== this.turn) {
      return
    }
    if (this.isEndedElsewhere && disk.user === this.endedUser) {
      disk.close()
    } else if (disk.status !== 'closed' && [...this.fetchedAs].some((user) => user !== disk.user)) {
      // Data of another user must not come into this database.
      disk.close()
      void controller.resetEntireStore()
      return this.open()
    } else if (disk.status !== 'closed') {
      saver.user = disk.user
      this.isEndedElsewhere = false
      this.endedUser = undefined
      await restorer.restoreAll(() => !disk.check() && turn === this.turn)
      this.use(turn)
    }
    if (turn === this.turn) {
      this.settle()
    }
  }

  /** The database of a user is in use from now on. */
  private use(turn: number): void {
    const { controller, disk, saver } = this.parts!
    if (turn === this.turn && disk.status === 'open') {
      saver.noteAll()
      this.leave()
      const release = useVersion(disk, this.version)
      const shout = new Shout(`${disk.name} session`, () => this.checkSession())
      this.shout = shout
      this.leave = () => {
        release()
        shout.close()
      }
      dropVersions(disk, this.version, controller.clock, () => turn === this.turn).catch(() => {})
    }
  }

  private get version(): number {
    return this.options.version ?? 1
  }

  private settle(): void {
    this.isRestored = true
    this.restored.resolve()
  }

  /** Looks for the data of a view. */
  private recall(view: SharedView, hasFailed?: boolean): Promise<unknown> | undefined {
    const { controller, disk, saver, restorer } = this.parts!
    const { clock } = controller
    if (this.isRestored && disk.status === 'closed' && this.hasOtherUser()) {
      this.wait()
      void this.open()
    }
    if (hasFailed) {
      return this.isRestored ? undefined : this.restored.promise
    }
    if (this.isRestored) {
      const recalled = disk.status === 'open' ? recallRows(controller, saver, restorer, view) : undefined
      return recalled && Promise.race([recalled, pause(clock, PATIENCE)])
    }
    const left = this.startedAt + PATIENCE - clock.now()
    return left > 0 ? Promise.race([this.restored.promise, pause(clock, left)]) : undefined
  }

  /** A user has signed in, other than the one who has signed out. */
  private hasOtherUser(): boolean {
    const user = this.options.user?.()
    return user != null && typeof user !== 'object' && String(user) !== this.endedUser
  }

  /** Something is fetched while no database is in use, perhaps as a user who has signed out elsewhere. An async `user` is not awaited. */
  private noteUser(): void {
    if ((this.isEnding || this.parts!.saver.user === undefined) && !this.isAsking) {
      this.isAsking = true
      const user = this.options.user?.()
      this.isAsking = user != null && typeof user === 'object'
      if (user != null && typeof user !== 'object') {
        this.fetchedAs.add(String(user))
      }
    }
  }

  /** On a server there is none, unless the app has one. */
  private get hasStorage(): boolean {
    return this.options.storage !== undefined || 'indexedDB' in globalThis
  }

  /** Readers ask the database. */
  private follow(): void {
    this.wait()
    this.parts!.controller.core.recall = (view, hasFailed) => this.recall(view, hasFailed)
  }

  /** Readers wait from now on. Those that wait already wait for the same. */
  private wait(): void {
    this.startedAt = this.parts!.controller.clock.now()
    if (this.isRestored) {
      this.isRestored = false
      this.restored = deferred()
    }
  }

  private see(action: ActionTypes): void {
    if (action.type === RESET) {
      this.fetchedAs.clear()
    }
    if (action.type === FETCH) {
      this.noteUser()
      // A reader may fetch while it renders, when nothing may be reset.
      void NOW.then(() => this.parts!.disk.check())
      if (action.endpoint.sideEffect) {
        this.parts!.saver.mutations.add(action.key)
      }
    }
    if (action.type === SET || action.type === SET_RESPONSE) {
      this.parts!.disk.check()
    }
    if (action.type === EXPIREALL || action.type === INVALIDATEALL) {
      void this.parts!.restorer.expire(action.testKey, action.type === INVALIDATEALL)
    }
    if (action.type !== SET_RESPONSE) {
      return
    }
    if (action.error) {
      this.isRefused ||= isExpiry(action.response)
      return
    }
    this.isRefused = false
    // The first data of a user who has signed in.
    if (this.endListening && this.parts!.disk.status === 'closed' && this.isRestored) {
      void this.open()
    }
  }

  /** The store was reset: the session is over. */
  private async end(): Promise<void> {
    const { disk, saver } = this.parts!
    saver.clear()
    if (disk.status === 'closed') {
      return
    }
    this.turn++
    this.settle()
    this.endedUser = disk.user
    const { shout, leave } = this
    const ended = deferred<void>()
    this.ended = ended.promise
    this.leave = () => {}
    this.shout = undefined
    await endSession(disk, this.options, this.isRefused, () => {
      shout?.shout()
      leave()
      this.ended = undefined
      ended.resolve()
    })
  }

  /** The app has another user, and has not reset the store. */
  private onOther(): void {
    const { controller, disk } = this.parts!
    if (!this.isEnding) {
      disk.report(userChanged(disk.name))
      void controller.resetEntireStore()
    }
  }

  /** Another tab has ended the session. */
  private onEnded(): void {
    const { controller, disk } = this.parts!
    if (disk.status !== 'closed') {
      this.endedUser = disk.user
      this.isEndedElsewhere = true
      disk.close()
      void controller.resetEntireStore()
    }
  }

  private onVisibility(): void {
    const { saver } = this.parts!
    if ((globalThis as Globals).document?.visibilityState === 'hidden') {
      void saver.flush()
    } else {
      this.checkSession()
    }
  }

  /** The session may have ended in another tab, also while this page was frozen. */
  private checkSession(): void {
    this.parts!.disk.transact([], () => []).catch(() => {})
  }
}

interface Parts {
  readonly controller: Controller
  readonly disk: Disk
  readonly saver: Saver
  readonly restorer: Restorer
}

function listen(target: Partial<Globals> | undefined, type: string, listener: () => void): () => void {
  target?.addEventListener?.(type, listener)
  return () => target?.removeEventListener?.(type, listener)
}
