/** The BroadcastChannel of a few tabs in one process: a test delivers its messages, or loses them. */
export class Channels {
  private readonly open = new Set<FakeChannel>()
  private queue: (readonly [to: FakeChannel, data: unknown])[] = []
  /** The tab that opens channels now. */
  tab = ''
  /** Tabs to which nothing is delivered. */
  readonly frozen: Set<string> = new Set()

  /** Stands for `BroadcastChannel`. */
  get Channel(): new (name: string) => FakeChannel {
    const { open } = this
    const post = (from: FakeChannel, data: unknown): void => {
      const text: unknown = JSON.parse(JSON.stringify(data))
      for (const one of open) {
        if (one !== from && one.name === from.name) {
          this.queue.push([one, text])
        }
      }
    }
    const tab = (): string => this.tab
    return class extends FakeChannel {
      constructor(name: string) {
        super(name, tab(), post, (one) => open.delete(one))
        open.add(this)
      }
    }
  }

  /** Delivers what was sent, and what is sent because of it. */
  deliver(): void {
    for (let round = 0; round < 50; round++) {
      const { queue } = this
      this.queue = queue.filter(([{ tab }]) => this.frozen.has(tab))
      const due = queue.filter(([{ tab }]) => !this.frozen.has(tab))
      if (due.length === 0) {
        return
      }
      due.forEach(([to, data]) => to.receive(data))
    }
  }

  /** Loses what was sent. */
  lose(): void {
    this.queue = []
  }
}

export class FakeChannel {
  readonly name: string
  readonly tab: string
  private readonly post: (from: FakeChannel, data: unknown) => void
  private readonly end: (one: FakeChannel) => void
  private readonly listeners = new Set<(event: { data: unknown }) => void>()
  private isOpen = true

  constructor(
    name: string,
    tab: string,
    post: (from: FakeChannel, data: unknown) => void,
    end: (one: FakeChannel) => void,
  ) {
    this.name = name
    this.tab = tab
    this.post = post
    this.end = end
  }

  addEventListener(_: string, listener: (event: { data: unknown }) => void): void {
    this.listeners.add(listener)
  }

  postMessage(data: unknown): void {
    this.post(this, data)
  }

  receive(data: unknown): void {
    if (this.isOpen) {
      this.listeners.forEach((listener) => listener({ data }))
    }
  }

  close(): void {
    this.isOpen = false
    this.end(this)
  }
}
