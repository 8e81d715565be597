import type { Controller } from '../controller/Controller.ts'
import { observe, observedControllers } from '../explain/observe.ts'
import type { Row } from '../rows/Row.ts'
import { fill, h } from './dom.ts'
import { storeName } from './panelFacts.ts'
import { findRow, findShown } from './storeFacts.ts'
import type { Tab } from './Tab.ts'
import { createTravel, type Travel } from './travel.ts'

/** The tabs of an earlier moment. */
const PAST_TABS = new Set(['Records', 'Lists', 'Endpoints'])

/** The tabs of one store. */
export interface Book {
  readonly controller: Controller
  readonly tabs: Map<string, Tab>
  readonly travel: Travel
  /** The tabs of the moment that is shown. */
  readonly pastTabs: Map<string, Tab>
  readonly end: () => void
}

/** The stores of the page, of which one is shown. */
export interface Books {
  /** The choice of a store, hidden while there is only one. */
  readonly element: HTMLElement
  readonly current: Book | undefined
  /** The store of the moment that is shown. */
  readonly shown: Controller | undefined
  /** The tabs that a tab is one of: those of now, or of the moment that is shown. */
  tabs(name: string): Map<string, Tab>
  /** Shows another store. */
  follow(controller: Controller): void
  /** Stores come and go. */
  update(): void
  /** The row of a target, in the store that is shown or in another one. */
  find(target: object, args: readonly any[]): [controller: Controller, row: Row] | undefined
  end(): void
}

/**
 * @param changed the store has changed
 * @param refresh another store or moment is shown
 */
export function createBooks(changed: () => void, refresh: () => void, shownTab: () => Tab | undefined): Books {
  let book: Book | undefined
  const select: HTMLSelectElement = h('select', {
    aria: { label: 'Store' },
    on: {
      change: () => {
        show(observedControllers()[Number(select.value)])
        refresh()
      },
    },
  })
  const shownStore = (): Controller | undefined => book?.travel.past ?? book?.controller

  function show(controller: Controller | undefined): void {
    if (controller === book?.controller) {
      return
    }
    book?.end()
    book = controller && open(controller)
  }

  function open(controller: Controller): Book {
    const unsubscribe = observe(controller).subscribe(changed)
    const pastTabs = new Map<string, Tab>()
    const travel = createTravel(controller, () => {
      const name = shownTab()?.selected?.()
      pastTabs.clear()
      refresh()
      // The same row at another moment, if it was there.
      const row = name === undefined ? undefined : findRow(shownStore()!, name)
      if (row && shownTab()?.selected?.() !== name) {
        shownTab()?.select?.(row)
      }
    })
    const end = (): void => {
      unsubscribe()
      travel.to(undefined)
    }
    return { controller, tabs: new Map(), travel, pastTabs, end }
  }

  return {
    element: select,
    get current() {
      return book
    },
    get shown() {
      return shownStore()
    },
    tabs(name) {
      const { travel, tabs, pastTabs } = book!
      return travel.past && PAST_TABS.has(name) ? pastTabs : tabs
    },
    follow: show,
    update() {
      const controllers = observedControllers()
      if (!book || !controllers.includes(book.controller)) {
        show(controllers[0])
      }
      const labels = controllers.map((controller, index) => storeName(controller, index))
      if (select.textContent !== labels.join('')) {
        fill(select, ...labels.map((text, index) => h('option', { value: index, text })))
      }
      select.hidden = controllers.length < 2
      select.value = String(controllers.indexOf(book?.controller as Controller))
    },
    find(target, args) {
      const others = observedControllers().filter((one) => one !== book?.controller)
      for (const controller of book ? [book.controller, ...others] : others) {
        const row = findShown(controller, target, args)
        if (row) {
          return [controller, row]
        }
      }
      return undefined
    },
    end: () => show(undefined),
  }
}
