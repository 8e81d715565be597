/** Stands for what only the insides of data-client have: a test that uses it is left out (`run.mjs`). */
export const inside = new Proxy(
  {},
  {
    get() {
      globalThis.peerInside = true
      throw new Error('peer: inside')
    },
  },
)
