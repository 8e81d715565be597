import type { Controller } from '../controller/Controller.ts'
import { liveOf } from '../explain/liveLinks.ts'
import { observe } from '../explain/observe.ts'
import { isListTable } from '../explain/rowNames.ts'
import type { Row } from '../rows/Row.ts'
import type { Tab, TabContext } from './Tab.ts'
import { createBooks } from './books.ts'
import { button, choice, fill, h, setAria, tag } from './dom.ts'
import { createEndpointsTab } from './endpointsTab.ts'
import { installFormatter } from './formatter.ts'
import { createFrame } from './frame.ts'
import { createGlance } from './glance.ts'
import { createJourney } from './journey.ts'
import type { DevtoolsOptions } from './mountDevtools.ts'
import { createNetworkTab, LIVE_COLOURS } from './networkTab.ts'
import { isPageDark, watchTheme } from './pageTheme.ts'
import { openPopup, type Popup } from './popup.ts'
import { createOutboxTab } from './outboxTab.ts'
import { createRendersTab } from './rendersTab.ts'
import { createRequestsTab } from './requestsTab.ts'
import { createRowsTab } from './rowsTab.ts'
import { loadSettings, saveSettings } from './settings.ts'
import { stateButtons } from './stateFile.ts'
import { simulationOf } from './simulate.ts'
import { countsOf } from './panelFacts.ts'
import { findRow } from './storeFacts.ts'
import { STYLE } from './style.ts'
import { createTabList } from './tabList.ts'
import { createTimelineTab } from './timelineTab.ts'

/** The tabs, by their labels. */
const TABS: Readonly<Record<string, (context: TabContext) => Tab>> = {
  Records: (context) => createRowsTab(context, false),
  Lists: (context) => createRowsTab(context, true),
  Endpoints: createEndpointsTab,
  Requests: createRequestsTab,
  Timeline: createTimelineTab,
  Renders: createRendersTab,
  Outbox: createOutboxTab,
  Network: createNetworkTab,
}
const NAMES = Object.keys(TABS)
const THEMES = { auto: 'Auto', light: 'Light', dark: 'Dark' }
const DOCKS = { bottom: 'Bottom', right: 'Right', float: 'Floating', window: 'Window' }

const PRESSES = ['pointerdown', 'pointerup', 'pointercancel', 'pointerleave']

/** The panel on the page. */
export interface Panel {
  /** With a target it shows what is stored for it. */
  open(target?: object, args?: readonly any[]): void
  remove(): void
}

/** Puts the button on the page that opens the panel. */
export function createPanel(options: DevtoolsOptions): Panel {
  const settings = loadSettings({ isOpen: options.isOpen === true })
  const page = document
  const host = h('div', { 'data-restitch': 'devtools' })
  const root = host.attachShadow({ mode: 'open' })
  const save = (): void => saveSettings(settings)
  let frame = 0
  let popup: Popup | undefined
  let shownTab: Tab | undefined
  let opener: HTMLElement | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  const books = createBooks(
    () => schedule(),
    () => refresh(),
    () => shownTab,
  )
  const tabList = createTabList(
    NAMES,
    () => settings.tab,
    (name) => openTab(name),
  )
  const body = h('div', { class: 'body', role: 'tabpanel', id: 'tabpanel' })
  const theme = choice('Theme', THEMES, () => {
    settings.theme = theme.value as typeof settings.theme
    save()
    arrange()
  })
  const dock = choice('Place of the devtools', DOCKS, () => moveTo(dock.value as typeof settings.dock))
  const live = h('span')
  const glance = createGlance((status) => {
    openTab('Endpoints')
    books.tabs('Endpoints').get('Endpoints')?.filter?.(status)
  })
  const simulated = h('span')
  const journey = createJourney()
  const message = h('span', { class: 'dim', role: 'status' })
  const say = (text: string): void => {
    message.textContent = text
    clearTimeout(silence)
    silence = setTimeout(() => (message.textContent = ''), 4_000)
  }
  const head = h(
    'div',
    { class: 'head' },
    h('h2', { class: 'title' }, h('span', { class: 'logo' }), 'restitch'),
    books.element,
    glance.element,
    live,
    simulated,
    message,
    h('span', { class: 'grow' }),
    ...stateButtons(
      () => books.shown,
      () => books.current?.travel.moment !== undefined,
      (text) => {
        say(text)
        refresh()
      },
    ),
    theme,
    dock,
    button('Close', () => toggle(false)),
  )
  const panel = h(
    'div',
    {
      class: 'panel',
      role: 'dialog',
      aria: { label: 'restitch devtools' },
      on: { keydown: (event) => leave(event as KeyboardEvent) },
    },
    head,
    journey.element,
    tabList.element,
    body,
  )
  const [y = 'bottom', x = 'right'] = (options.position ?? '').split('-').filter(Boolean)
  const launcher = button('restitch', () => toggle(true), {
    class: `launcher ${y} ${x}`,
    aria: { label: 'Open the restitch devtools' },
  })
  const outer = h('div', { class: 'root' }, launcher, panel)
  root.append(h('style', { text: STYLE }), outer)
  const frameOf = createFrame(panel, head, settings, save)

  /** Moves the panel to an edge of the page, or to a window of its own. */
  function moveTo(to: typeof settings.dock): void {
    if (to === 'window') {
      popup = openPopup(host, 1_000, 700, () => {
        settings.dock = 'bottom'
        popup = undefined
        toggle(false)
      })
      if (!popup) {
        say('The browser blocked the window.')
        arrange()
        return
      }
      popup.view.addEventListener('resize', arrange)
    } else {
      closePopup()
    }
    settings.dock = to
    save()
    arrange()
    dock.focus()
  }

  function closePopup(): void {
    const { close } = popup ?? {}
    popup = undefined
    close?.()
  }

  const summaryOf = (): string => (books.current ? simulationOf(books.current.controller).summary() : '')
  const applyTheme = (): void => {
    const isDark = settings.theme === 'auto' ? isPageDark(page) : settings.theme === 'dark'
    outer.classList.toggle('dark', isDark)
  }
  const arrange = (): void => {
    applyTheme()
    theme.value = settings.theme
    dock.value = settings.dock
    launcher.hidden = settings.isOpen
    const simulation = summaryOf()
    fill(launcher, h('span', { class: 'logo' }), 'restitch', simulation && tag(simulation, 'warn'))
    setAria(launcher, { label: `Open the restitch devtools${simulation && ` (simulating ${simulation})`}` })
    panel.hidden = !settings.isOpen
    frameOf.place()
  }

  const toggle = (isOpen: boolean): void => {
    const focused = page.activeElement
    settings.isOpen = isOpen
    if (!isOpen) {
      // Nothing on the page would say that it shows an earlier state.
      books.current?.travel.to(undefined)
      closePopup()
      settings.dock = settings.dock === 'window' ? 'bottom' : settings.dock
    }
    save()
    arrange()
    if (isOpen) {
      opener = focused instanceof HTMLElement && focused !== host ? focused : undefined
      refresh()
      tabList.focus(settings.tab)
    } else {
      // The focus returns to where it was: the button, or what the app opened the panel with.
      ;(opener?.isConnected && opener !== page.body ? opener : launcher).focus()
    }
  }

  const leave = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      event.stopPropagation()
      toggle(false)
    }
  }

  const openTab = (name: string): void => {
    settings.tab = name
    save()
    refresh()
    tabList.reveal(name)
  }

  const openRow = (name: string): void => {
    const row = books.shown && findRow(books.shown, name)
    if (row) {
      openIn(books.current!.controller, row)
    }
  }
  const openIn = (controller: Controller, row: Row): void => {
    books.follow(controller)
    openTab(row.table.key === '' ? 'Endpoints' : isListTable(row.table.key) ? 'Lists' : 'Records')
    books.tabs(settings.tab).get(settings.tab)?.select?.(row)
  }

  /** The window that the panel is in: that of a page in the background draws nothing. */
  const view = (): Window => host.ownerDocument.defaultView ?? window
  const cancelFrame = (): void => {
    view().cancelAnimationFrame(frame)
    frame = 0
  }
  const refresh = (): void => {
    cancelFrame()
    if (!settings.isOpen) {
      return
    }
    books.update()
    const book = books.current
    const links = book ? liveOf(book.controller) : []
    fill(live, ...links.map(({ status }) => tag(`live: ${status}`, LIVE_COLOURS[status])))
    showHead()
    if (!book) {
      fill(body, h('p', { class: 'empty page', text: 'No store is running on this page.' }))
      return
    }
    const name = TABS[settings.tab] ? settings.tab : NAMES[0]!
    journey.update(book)
    const tabs = books.tabs(name)
    let tab = tabs.get(name)
    if (!tab) {
      const { travel, pastTabs } = book
      const isPast = tabs === pastTabs
      const controller = isPast ? travel.past! : book.controller
      const history = observe(book.controller)
      tab = TABS[name]!({ controller, history, travel, isPast, open: openRow, say, changed: showHead })
      tabs.set(name, tab)
    }
    tabList.update(name, countsOf(book.controller, books.shown!))
    setAria(body, { labelledby: `tab${name}` })
    if (body.firstChild !== tab.element) {
      body.replaceChildren(tab.element)
    }
    shownTab = tab
    tab.update()
  }
  const showHead = (): void => {
    const simulation = summaryOf()
    const badge = button(`simulating ${simulation}`, () => openTab('Network'), { class: 'tag warn' })
    fill(simulated, simulation && badge)
    glance.update(books.shown)
  }
  let isPressed = false
  const onPress = (event: Event): void => {
    isPressed = event.type === 'pointerdown'
    schedule()
  }
  /** A click, or a selection of text, must not lose its element. */
  const isBusy = (): boolean =>
    isPressed || (host.ownerDocument.getSelection()?.type === 'Range' && root.activeElement !== null)
  const schedule = (): void => {
    if (settings.isOpen && frame === 0 && !isBusy()) {
      frame = view().requestAnimationFrame(refresh)
    }
  }

  for (const type of PRESSES) {
    host.addEventListener(type, onPress)
  }
  const endTheme = watchTheme(page, applyTheme)
  addEventListener('resize', arrange)
  // Ages grow, and stores come and go, without an event.
  const timer = setInterval(() => {
    // The background of a page may change without one, too, or slowly.
    applyTheme()
    schedule()
  }, 1_000)
  const removeFormatter = installFormatter()
  page.body.append(host)
  arrange()
  refresh()
  return {
    open(target, args = []) {
      toggle(true)
      const found = target && books.find(target, args)
      if (found) {
        openIn(...found)
      }
    },
    remove() {
      endTheme()
      closePopup()
      frameOf.remove()
      removeEventListener('resize', arrange)
      clearInterval(timer)
      clearTimeout(silence)
      cancelFrame()
      books.end()
      removeFormatter()
      host.remove()
    },
  }
}
