/** True for a page with a dark background. */
export function isPageDark({ body, documentElement, defaultView: view }: Document): boolean {
  if (!view) {
    return false
  }
  for (const element of [body, documentElement]) {
    const light = lightness(view.getComputedStyle(element).backgroundColor)
    if (light !== undefined) {
      return light < 0.5
    }
  }
  // Without a background of its own, the page has that of its colour scheme.
  const { colorScheme } = view.getComputedStyle(documentElement)
  return /\bdark\b/.test(colorScheme) && (!/\blight\b/.test(colorScheme) || prefersDark(view))
}

function prefersDark(view: Window): boolean {
  return (view as Partial<Window>).matchMedia?.('(prefers-color-scheme: dark)').matches === true
}

/** From 0 to 1; `undefined` for a colour that lets the ground show through. */
function lightness(colour: string): number | undefined {
  const numbers = colour.match(/[\d.]+%?/g) ?? []
  if (!/^(?:rgb|color)/.test(colour) || numbers.length < 3 || Number.parseFloat(numbers[3] ?? '1') < 0.5) {
    return undefined
  }
  const [red = 0, green = 0, blue = 0] = numbers.map(
    (text) => Number.parseFloat(text) / (colour.startsWith('rgb') ? 255 : 1),
  )
  return 0.299 * red + 0.587 * green + 0.114 * blue
}

/** Calls a function when the page may look different. Returns the function that ends it. */
export function watchTheme(page: Document, changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  for (const element of [page.documentElement, page.body]) {
    observer.observe(element, { attributes: true })
  }
  const media = (globalThis as Partial<typeof globalThis>).matchMedia?.('(prefers-color-scheme: dark)')
  media?.addEventListener('change', changed)
  return () => {
    observer.disconnect()
    media?.removeEventListener('change', changed)
  }
}
