import { isObject } from '../base/equal.ts'
import { append } from '../schema/merges.ts'
import { SEVERAL } from '../records/RecordRow.ts'
import { indexOf } from './indexOf.ts'
import type { ListRow, StoreChange } from './ListRow.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isWholeRecord } from '../schema/required.ts'
import { itemFor, withCollection } from './collectionOf.ts'
import { contains, itemOf, size } from './items.ts'
import { isUnknown, type Membership, type Unknown } from './judge.ts'
import type { List } from './List.ts'
import { belongs, isSurelyOut } from './membership.ts'
import { hasArgumentsOf } from './named.ts'
import { partOf } from './place.ts'
import type { Written } from './written.ts'

/** One written record and one list: whether it belonged to the list, whether it does now, and whether the list shows it. */
export class RecordInList {
  readonly change: StoreChange
  readonly written: Written
  readonly row: ListRow
  readonly list: List
  /** The write names the Collection of the list. */
  readonly isSameCollection: boolean
  /** By what the write names this list. */
  readonly namedBy: 'adder' | 'remover' | undefined
  /** The record as an item of the list, in a map with its name; `undefined` where that is not known. */
  readonly entry: unknown
  private foundBefore: Membership | undefined = undefined

  constructor(change: StoreChange, written: Written, row: ListRow) {
    const { how, names, isLate } = written
    this.change = change
    this.written = written
    this.row = row
    this.list = withCollection(row, row.patch?.list ?? row.list!)
    this.isSameCollection = how?.collection.key === row.key && how.collection.name === this.list.name
    const isNamed = this.isSameCollection && !isLate && names?.(this.list.keyArgs) === true
    this.namedBy = isNamed ? (how!.kind === 'add' ? 'adder' : 'remover') : undefined
    this.entry = this.isSameCollection ? written.entry : written.row && itemFor(this.list, written.row)
  }

  get before(): Membership {
    return (this.foundBefore ??= this.findBefore())
  }

  get now(): Membership {
    const { now } = this.written
    if (this.namedBy) {
      return this.namedBy === 'adder' ? 'in' : this.takesOut ? 'out' : 'other-arguments'
    }
    const membership = this.fit(now)
    const isEmpty = this.list.path !== undefined && size(this.items ?? []) === 0
    if (membership !== 'out' || !now || !isEmpty) {
      return membership
    }
    return isSurelyOut(this.list, now, indexOf(this.row.table).proven) ? 'out' : 'empty-list'
  }

  /**
   * The list shows the record. An adder other than `push` places it again, and so does a pending one, lest the next response takes it
   * away. A remover takes it out in any case: a pending operation below may hide it.
   */
  isShown(): boolean {
    const placesAnew = this.namedBy === 'adder' && (this.written.how!.merge !== append || this.change.isPending)
    return this.takesOut || (!placesAnew && contains(this.items, itemOf(this.entry)))
  }

  /** The list could not know what the record was. */
  get isBehind(): boolean {
    return this.written.wasInDoubt || this.isBehindRead
  }

  /** A read has changed the record since the list was requested, other than its own response. */
  get isBehindRead(): boolean {
    const { sent, at } = this.row.meta!
    const { at: readAt = 0, only, seenAt } = this.written.row?.changedByRead ?? {}
    return readAt > sent && only !== at && !seenAt?.includes(at)
  }

  /** An event brought all of a record that nobody knew: the server has just created it. */
  get isNew(): boolean {
    const { before, row, now } = this.written
    return (
      before === undefined &&
      this.change.intake.meta.kind === 'set' &&
      isWholeRecord(row?.table.entity as RecordClass | undefined, now)
    )
  }

  private findBefore(): Membership {
    const { before, now, isCrossed, isLate, row: record } = this.written
    if (this.namedBy) {
      return this.namedBy === 'adder' ? 'out' : 'in'
    }
    // Where it was deleted while the write was in flight, only lists that it fits have something to ask.
    const wasDeleted = record!.gone > this.change.intake.meta.sent && this.fit(now) !== 'out'
    if (isCrossed && (isLate || wasDeleted)) {
      return 'crossed'
    }
    if (before === undefined) {
      return this.isNew ? 'out' : 'new-record'
    }
    const { issuedOver } = this.written
    // A pending change is shown, whatever reads have brought since it was issued.
    if ((this.change.isPending || this.isBehindRead) && isObject(issuedOver) && this.fit(issuedOver) === 'out') {
      return 'out'
    }
    const membership = this.fit(before)
    if (isUnknown(membership) || !this.isBehind || this.agreesWith(membership)) {
      return membership
    }
    // The list may know the record as it was before a read that came later than its request.
    const { from } = record!.changedByRead ?? {}
    const earlier = this.isBehindRead && from !== SEVERAL && from?.length === 1 ? this.fit(from[0]) : undefined
    return earlier && this.agreesWith(earlier) ? earlier : this.whyBehind()
  }

  /** A deleted record belongs to no list. */
  protected fit(fields: unknown): Membership {
    return isObject(fields) ? belongs(this.list, fields, this.isSameCollection) : 'out'
  }

  private agreesWith(membership: Membership): boolean {
    return !isUnknown(membership) && (membership === 'in') === this.isShown()
  }

  private whyBehind(): Unknown {
    const { before, now, isOvertaken, wasInDoubt } = this.written
    // A part of a list would show a row of a page that is not loaded.
    if (isOvertaken && isObject(before) && partOf(this.list, now ?? before) === undefined) {
      return 'overtaken'
    }
    return wasInDoubt ? 'was-in-doubt' : 'read-since'
  }

  private get items(): unknown {
    const { patch } = this.row
    return patch?.edits ? patch.value : this.change.below(this.row)
  }

  /** A remover that concerns the list for sure. */
  private get takesOut(): boolean {
    return this.namedBy === 'remover' && hasArgumentsOf(this.written.how!, this.list)
  }
}
