const HIGHLIGHT = { outline: '3px solid var(--mantine-primary-color-filled)', outlineOffset: '1px' }
const NO_HIGHLIGHT = { outline: '3px solid transparent', outlineOffset: '1px' }
/** A busy machine renders late. */
const PATIENCE = 3_000

/**
 * Shows a move that the tour makes: the card is marked, `move` moves it, and a copy flies to its new place, which is
 * scrolled into view. With reduced motion the card is marked at both places and nothing flies.
 */
export async function flyCard(id: string, move: () => Promise<void>): Promise<void> {
  const source = findCard(id)
  if (!source) {
    return move()
  }
  source.scrollIntoView({ block: 'nearest', inline: 'center' })
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!isStill) {
    await source.animate([NO_HIGHLIGHT, HIGHLIGHT, HIGHLIGHT], { duration: 600 }).finished
  }
  const from = source.getBoundingClientRect()
  const copy = source.cloneNode(true) as HTMLElement
  const column = columnOf(source)
  const moved = move()
  const target = await findMoved(id, column)
  if (target) {
    target.scrollIntoView({ block: 'nearest', inline: 'center' })
    if (!isStill) {
      await fly(copy, from, target)
    }
    target.animate([HIGHLIGHT, HIGHLIGHT, NO_HIGHLIGHT], { duration: 2_500 })
  }
  return moved
}

async function fly(copy: HTMLElement, from: DOMRect, target: HTMLElement): Promise<void> {
  const to = target.getBoundingClientRect()
  copy.setAttribute('aria-hidden', 'true')
  copy.inert = true
  copy.classList.add('card-flying')
  Object.assign(copy.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px` })
  document.body.append(copy)
  const flight = { duration: 800, easing: 'cubic-bezier(.5, 0, .2, 1)' }
  target.animate([{ opacity: 0 }, { opacity: 0 }], flight)
  const away = `translate(${to.left - from.left}px, ${to.top - from.top}px)`
  await copy.animate(
    [{ transform: 'none' }, { transform: `${away} rotate(2deg)`, offset: 0.85 }, { transform: away }],
    flight,
  ).finished
  copy.remove()
}

function findCard(id: string): HTMLElement | null {
  return document.querySelector(`.card[data-issue="${CSS.escape(id)}"]`)
}

function columnOf(card: HTMLElement): Element | null {
  return card.closest('.column')
}

/** The card in its new column: it is there after the next render, unless a screen without the board is shown. */
async function findMoved(id: string, column: Element | null): Promise<HTMLElement | undefined> {
  for (const end = performance.now() + PATIENCE; performance.now() < end;) {
    await new Promise(requestAnimationFrame)
    const card = findCard(id)
    if (card && columnOf(card) !== column) {
      return card
    }
  }
  return undefined
}
