import type { Controller } from '../controller/Controller.ts'
import type { History } from '../explain/history.ts'
import type { Slot } from '../normalize/tables.ts'

/** The data of a tab, and how it opens others. */
export interface TabContext {
  readonly controller: Controller
  readonly history: History
  /** Opens the tab of a record, list or result, by its name. */
  open(name: string): void
  /** Shows a short message, which screen readers read. */
  say(text: string): void
}

export interface Tab {
  readonly element: HTMLElement
  /** Called while the tab is visible, after each change and once a second. */
  update(): void
  /** Selects a row. */
  select?(slot: Slot): void
}
