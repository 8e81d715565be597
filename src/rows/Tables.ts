import { recall } from '../base/recall.ts'
import { isOfLists, Table } from './Table.ts'

/** Makes the tables of records, and those of lists. */
export interface TableKinds<Records extends Table, Lists extends Table> {
  records(key: string): Records
  lists(key: string): Lists
}

/** Every table of a store: the kind of a table follows from its key. */
export class Tables<Records extends Table = Table, Lists extends Table = Table, Results extends Table = Table> {
  readonly tables: Map<string, Records | Lists> = new Map()
  /** The tables of lists, by the key of an entity that they hold. */
  readonly holders: Map<string, Lists[]> = new Map()
  /** Results of endpoints, by key. */
  readonly endpoints: Results
  /** Facts about the classes that use the tables (`classInfo.ts`). */
  readonly classes: Map<unknown, unknown> = new Map()
  /** Records that a DELETE without an outcome names (`lostDeletes.ts`). */
  readonly lostDeletes: Map<any, any> = new Map()
  /** In development: called when a class was declared again. Returns the number that the store has reached. */
  onReplace: () => number = () => 0
  private readonly kinds: TableKinds<Records, Lists>

  constructor(endpoints: Results, kinds: TableKinds<Records, Lists>) {
    this.endpoints = endpoints
    this.kinds = kinds
  }

  table(key: string): Records | Lists {
    return isOfLists(key) ? this.lists(key) : this.records(key)
  }

  records(key: string): Records {
    return recall(this.tables, key, () => this.kinds.records(key)) as Records
  }

  lists(key: string): Lists {
    return recall(this.tables, key, () => {
      const table = this.kinds.lists(key)
      table.holds.forEach((held) => recall(this.holders, held, (): Lists[] => []).push(table))
      return table
    }) as Lists
  }
}
