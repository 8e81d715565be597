import type { Node } from './Node.ts'
import type { Row } from './Row.ts'

/** All rows of one kind. */
export class Table<R extends Row = Row> {
  readonly key: string
  /** Of a table of lists or maps, such as `[Post;User]`: the keys of the records that they hold. */
  readonly holds: readonly string[]
  readonly isOfLists: boolean
  /** All rows, also those without content, by primary key. */
  readonly byPk: Map<string, R> = new Map()
  private readonly Row: new (table: Table, pk: string) => R
  private listed: R[] = []
  /** Some removed rows are still listed: they are dropped on the next read, so that removing many is linear. */
  hasGaps = false
  /** The class that its rows came with; readers may use a class that extends it. */
  entity: unknown
  /** Rows that only a pending operation fills. */
  readonly floating: Set<R> = new Set()
  /** Grows whenever a row joins or leaves. */
  version = 0
  /** Its rows as data, until one of them changes (`State.ts`). */
  copy: readonly unknown[] | undefined = undefined
  /** Told when a row joins or leaves. */
  node: Node | undefined
  /** `field` -> value -> pk. */
  readonly indexes: Map<string, Map<string, string>> = new Map()
  /** The watchers of each entry of an index. */
  readonly indexNodes: Map<string, Node> = new Map()
  /** The number of the last write of one of its records, and of the last mutation among them. */
  fence = 0
  mutated = 0
  /** Called before readers see one of its rows differently: live queries look at it again. */
  watch: ((row: Row) => void) | undefined = undefined

  /** @param Row the class of its rows */
  constructor(key: string, Row: new (table: Table, pk: string) => R) {
    this.key = key
    this.Row = Row
    this.isOfLists = isOfLists(key)
    this.holds = this.isOfLists ? [...new Set(key.slice(1, -1).split(';'))] : []
  }

  /** Rows with content, in the order they first had some. */
  get rows(): R[] {
    if (this.hasGaps) {
      this.listed = this.listed.filter(({ position }) => position >= 0)
    }
    this.hasGaps = false
    return this.listed
  }

  /** The row of a primary key, which is made if there is none. */
  row(pk: string): R {
    let row = this.byPk.get(pk)
    if (row === undefined) {
      this.byPk.set(pk, (row = new this.Row(this, pk)))
    }
    return row
  }
}

/** True for the key of a table of lists or maps. */
export function isOfLists(key: string): boolean {
  return /^[[{]/.test(key)
}

/** A row has joined its table, or left it. */
export function membersChanged(table: Pick<Table, 'version' | 'node'>): void {
  table.version++
  table.node?.touch()
}
