/** A target of event listeners. */
export interface Emitter {
  addEventListener(type: string, handler: () => void): void
  removeEventListener(type: string, handler: () => void): void
}

/** A page that can be seen or not. A `document` is one. */
export interface Page extends Emitter {
  readonly visibilityState?: string | undefined
}

/** The globals, any of which may be missing. */
export interface Globals extends Partial<Emitter> {
  readonly navigator?: { readonly onLine?: boolean } | undefined
  readonly document?: Page | undefined
  readonly window?: Partial<Emitter> | undefined
}
