/**
 * Makes room at an edge of the page, so that a docked panel hides nothing; without an edge, takes it back. Elements with a fixed position
 * can use the size as `--restitch-devtools-bottom` and `--restitch-devtools-right`.
 */
export function createPageSpace(page: Document): (edge: 'bottom' | 'right' | undefined, size: number) => void {
  let undo = (): void => {}
  return (edge, size) => {
    undo()
    undo = () => {}
    if (edge === undefined) {
      return
    }
    const { body, documentElement } = page
    const padding = edge === 'bottom' ? 'paddingBottom' : 'paddingRight'
    const scrollPadding = edge === 'bottom' ? 'scrollPaddingBottom' : 'scrollPaddingRight'
    const own = body.style[padding]
    const ownScroll = documentElement.style[scrollPadding]
    const now = Number.parseFloat(page.defaultView?.getComputedStyle(body)[padding] ?? '') || 0
    body.style[padding] = `${now + size}px`
    // An element that gets the focus is scrolled into view beside the panel.
    documentElement.style[scrollPadding] = `${size}px`
    const property = `--restitch-devtools-${edge}`
    documentElement.style.setProperty(property, `${size}px`)
    undo = () => {
      body.style[padding] = own
      documentElement.style[scrollPadding] = ownScroll
      documentElement.style.removeProperty(property)
    }
  }
}
