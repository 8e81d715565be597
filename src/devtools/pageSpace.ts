/** Makes room at an edge of the page, so that a docked panel hides nothing. Returns the function that takes it back. */
export function createPageSpace(page: Document): (edge: 'bottom' | 'right' | undefined, size: number) => void {
  let undo = (): void => {}
  return (edge, size) => {
    undo()
    undo = () => {}
    if (edge === undefined) {
      return
    }
    const { body, documentElement } = page
    const [padding, scroll] =
      edge === 'bottom'
        ? (['padding-bottom', 'scroll-padding-bottom'] as const)
        : (['padding-right', 'scroll-padding-right'] as const)
    const own = [body.style.getPropertyValue(padding), documentElement.style.getPropertyValue(scroll)] as const
    const now = Number.parseFloat(page.defaultView?.getComputedStyle(body).getPropertyValue(padding) ?? '') || 0
    body.style.setProperty(padding, `${now + size}px`)
    documentElement.style.setProperty(scroll, `${size}px`)
    undo = () => {
      body.style.setProperty(padding, own[0])
      documentElement.style.setProperty(scroll, own[1])
    }
  }
}
