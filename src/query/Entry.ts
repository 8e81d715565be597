import type { Reader } from '../reading/denormalize.ts'
import { entityNode } from '../reading/recordNodes.ts'
import type { ClassInfo } from '../records/RecordRow.ts'
import type { Node } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'

/** One record, or one group, on its way through the stages of a query. All stages of a query share it. */
export class Entry {
  /** Its number among those that the same stage has made. */
  readonly number: number
  /** The row and the class of a record; a group has neither. */
  readonly row: Row | undefined
  readonly info: ClassInfo | undefined
  /** Its place in the input. */
  at: number
  /** Its primary key, or the name of its group: entries with equal sort keys are ordered by it. */
  readonly id: string
  /** The content of the record's row, as it was last looked at. */
  seen: unknown
  private made: Node | undefined

  constructor(number: number, id: string, at: number, made?: Node, row?: Row, info?: ClassInfo) {
    this.number = number
    this.row = row
    this.info = info
    this.at = at
    this.id = id
    this.seen = undefined
    this.made = made
  }

  /** The node of the record, or of the group. Of a record that nothing has shown there is none yet. */
  node(reader: Reader): Node {
    return (this.made ??= entityNode(reader, this.info!.Entity, this.row!))
  }

  /** The value for the result; the node that is being built depends on it. */
  value(reader: Reader): unknown {
    return reader.get(this.node(reader))
  }
}
