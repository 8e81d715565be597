import { isObject } from '../base/equal.ts'
import type { Pages, Reason } from '../rows/doubt.ts'
import type { ListClass } from '../schema/ListClass.ts'
import { SEVERAL } from '../records/RecordRow.ts'
import type { ChangedLists } from './ChangedLists.ts'
import { numbersBeside } from './changeList.ts'
import { followsWrites } from './collectionOf.ts'
import type { Case } from './judge.ts'
import { isDecidedByApp } from './named.ts'
import { itemOf } from './items.ts'
import { FIRST, isCutShort, nextOf, pageWith } from './pages.ts'
import { gapIn, movedIn, partOf, placeIn } from './place.ts'
import { RecordInList } from './RecordInList.ts'

/** The questions of `judge` about one written record and one list: where only the server knows, and why. */
export class Question extends RecordInList implements Case {
  /** False where the write says nothing about the list. */
  isConcerned(): boolean {
    const { row: record, how, names, hasChanged } = this.written
    if (this.namedBy) {
      return this.namedBy === 'adder' || this.isShown()
    }
    // An event that changes nothing says nothing; a mutation may have done more than its response shows.
    const isNews = hasChanged || this.isBehind || this.change.intake.meta.kind === 'mutation'
    if (!record || !isNews) {
      return false
    }
    if (this.isSameCollection) {
      return !names || !isDecidedByApp(how!)
    }
    return (hasChanged || !how) && followsWrites(this.list) && this.isKept
  }

  get isMover(): boolean {
    return this.isSameCollection && this.written.how!.kind === 'move'
  }

  get isCrossed(): boolean {
    return this.written.isCrossed
  }

  /** Why a record of the list may stand at another place. */
  elsewhere(): Reason | undefined {
    const { hasChanged, before, now } = this.written
    const isSame = !hasChanged && !this.isBehind
    if (isSame || this.namedBy || this.isDecided) {
      return undefined
    }
    return movedIn(this.list, isObject(before) && !this.isBehind ? before : undefined, now!)
  }

  /** Why the place of a record that joins is not known. */
  place(): Reason | undefined {
    const { list, isDecided, namedBy, isSameCollection } = this
    if (isDecided) {
      return this.isCutShort ? 'cut' : undefined
    }
    const place = placeIn(list) ?? (this.isCutShort ? 'cut' : undefined)
    if (place !== undefined) {
      return place
    }
    if (namedBy) {
      // An added record stands behind the loaded pages.
      return this.isOtherPath ? 'other-path' : undefined
    }
    if (nextOf(list) !== undefined) {
      return this.placeBeforeMore()
    }
    return list.isMap && !isSameCollection ? 'unnamed' : undefined
  }

  /** The same for a list with further pages that are not loaded. */
  private placeBeforeMore(): Reason | undefined {
    const { collection, keyArgs } = this.list
    // The app tells the order, or the record is new: like one that the app creates, it stands behind the loaded pages.
    if (collection?.orderOf?.(keyArgs) === undefined && !this.isNew) {
      return 'more-pages'
    }
    // It may be new to this client only.
    return this.isNew && this.hasNumbers ? 'counted' : undefined
  }

  /** Why another item may take the place of one that leaves; or a number beside the list may count one on a page that is not loaded. */
  gap(): Reason | undefined {
    const { before, now } = this.written
    const isShown = this.isShown()
    if (this.isCutShort) {
      return 'cut'
    }
    if (this.isDecided && (!this.hasNumbers || isShown)) {
      return undefined
    }
    const known = now ?? (isObject(before) ? before : undefined)
    if (isShown) {
      return gapIn(this.list, known)
    }
    // Of a page that is not loaded only a number tells.
    const part = partOf(this.list, known)
    if (part === 'more-pages') {
      return this.hasNumbers ? 'counted' : undefined
    }
    return part
  }

  /** The pages that a reason is about; `undefined` for all. */
  pagesOf(reason: Reason): Pages {
    const { list, entry } = this
    if (reason === 'counted') {
      return list.pages.length > 1 ? [FIRST] : undefined
    }
    return reason === 'more-pages' && this.now === 'out' ? pageWith(list, itemOf(entry)) : undefined
  }

  /** A number beside the list may count the record, on a page that is not loaded. A record that an adder creates was on none. */
  counted(): Reason | undefined {
    const { before, how, wasInDoubt } = this.written
    const isGuess = before === undefined || wasInDoubt || this.mayHaveHadIt
    const mayCount = this.hasNumbers && (nextOf(this.list) !== undefined || this.isCutShort)
    return isGuess && mayCount && how?.kind !== 'add' ? 'counted' : undefined
  }

  /** A part of the list arrived while the write was on its way, perhaps with it; or it was restored without the numbers beside it. */
  unsettled(): Reason | undefined {
    const { pages, counted } = this.list
    const arrived = Math.max(this.row.meta!.at, ...pages.map(({ at = 0 }) => at))
    if (this.change.intake.meta.sent < arrived) {
      return 'arrived-meanwhile'
    }
    return this.hasNumbers && !counted ? 'counted' : undefined
  }

  /** The list may have the record on a page that is not loaded: reads have brought it, or changed it, since the list was requested. */
  private get mayHaveHadIt(): boolean {
    const { before, row: record, isOvertaken } = this.written
    const from = record?.changedByRead?.from
    if (!this.isBehindRead || from === SEVERAL) {
      return this.isBehindRead
    }
    const versions = from ?? []
    const wasBrought = versions.length === 0 && isOvertaken
    return wasBrought || [...versions, before].some((version) => this.fit(version) !== 'out')
  }

  /** Neither does the response replace the list, nor is it gone. */
  private get isKept(): boolean {
    return (
      !(this.change.lists as ChangedLists | undefined)?.replaced.has(this.row) && isObject(this.change.below(this.row))
    )
  }

  /** The app's own filter decides on every list of the Collection. */
  private get isDecided(): boolean {
    return this.isSameCollection && isDecidedByApp(this.written.how!)
  }

  private get isOtherPath(): boolean {
    const { path } = this.change.intake
    const { collection } = this.written.how!
    // The schema of a page is made from that of its list.
    const isSame = (this.list.collection as ListClass | undefined)?.options === (collection as ListClass).options
    return (this.list.path ?? path) !== path && !isSame
  }

  /** The server has cut the list: more items are counted beside it than it has. */
  private get isCutShort(): boolean {
    const { change, list, row } = this
    const beside = change.isPending || !this.hasNumbers ? undefined : numbersBeside(change.intake.tables, list)
    const numbers: unknown = beside && (beside.patch?.value ?? change.below(beside))
    return numbers !== undefined && isCutShort(list, numbers, row.patch?.edits ? row.patch.value : change.below(row))
  }

  private get hasNumbers(): boolean {
    const collection = this.isSameCollection ? this.written.how!.collection : this.list.collection
    return collection?.counts !== undefined
  }
}
