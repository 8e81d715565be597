/** The channel of a store with `tabs` to the other tabs, as the devtools show it. */
export interface TabsChannel {
  /** `undefined` while nobody is signed in, and where browsers have none. */
  readonly channelName: string | undefined
  /** The number of the last message of each tab that was heard. */
  readonly counts: ReadonlyMap<string, number>
  /** How many changes and fetches were announced. */
  readonly count: number
}
