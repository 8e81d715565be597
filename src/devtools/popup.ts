/** A window of its own for the panel. */
export interface Popup {
  readonly view: Window
  /** Moves the panel back, and closes the window. */
  close(): void
}

/** Moves an element to a new window; `undefined` if the browser does not allow one. `onClosed`: the user closed it. */
export function openPopup(host: HTMLElement, width: number, height: number, onClosed: () => void): Popup | undefined {
  const home = host.ownerDocument
  const view = home.defaultView?.open('', 'restitchDevtools', `popup,width=${width},height=${height}`)
  if (!view) {
    return undefined
  }
  let isOpen = true
  const goHome = (): void => {
    isOpen = false
    home.defaultView?.removeEventListener('pagehide', close)
    home.body.append(host)
  }
  const close = (): void => {
    if (isOpen) {
      goHome()
      view.close()
    }
  }
  view.document.title = `restitch: ${home.title || home.location.host}`
  view.document.documentElement.lang = 'en'
  view.document.body.style.margin = '0'
  view.document.body.replaceChildren(host)
  home.defaultView?.addEventListener('pagehide', close)
  view.addEventListener('pagehide', () => {
    if (isOpen) {
      goHome()
      onClosed()
    }
  })
  return { view, close }
}
