interface Watch {
  readonly show: () => void
  isOn: boolean
}

/** Stands in for `IntersectionObserver` in a DOM without a layout. */
export class FakeObservers {
  readonly Observer: new (notify: (entries: readonly object[]) => void) => object
  readonly #all: Watch[] = []

  constructor() {
    const all = this.#all
    this.Observer = class {
      readonly watch: Watch
      constructor(notify: (entries: readonly object[]) => void) {
        this.watch = { show: () => notify([{ isIntersecting: true }]), isOn: true }
        all.push(this.watch)
      }
      observe(): void {}
      disconnect(): void {
        this.watch.isOn = false
      }
    }
  }

  /** Those that observe. */
  get current(): readonly Watch[] {
    return this.#all.filter(({ isOn }) => isOn)
  }

  /** The element of each comes into view. */
  show(): void {
    this.current.forEach((watch) => watch.show())
  }
}
