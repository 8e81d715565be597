import type { Controller } from '../controller/Controller.ts'
import type { History } from '../explain/history.ts'
import type { Row } from '../rows/Row.ts'
import type { Status } from './statuses.ts'
import type { Travel } from './travel.ts'

/** The data of a tab, and how it opens others. */
export interface TabContext {
  readonly controller: Controller
  readonly history: History
  /** Opens the tab of a record, list or result, by its name. */
  open(name: string): void
  /** The store of an earlier moment: nothing can be done with it. */
  readonly isPast?: boolean
  readonly travel: Travel
  /** Something that the head of the panel shows has changed. */
  changed(): void
  /** Shows a short message, which screen readers read. */
  say(text: string): void
}

export interface Tab {
  readonly element: HTMLElement
  /** Called while the tab is visible, after each change and once a second. */
  update(): void
  /** The name of the selected row. */
  selected?(): string | undefined
  /** Selects a row. */
  select?(row: Row): void
  /** Shows the rows with a status only. */
  filter?(status: Status): void
}
