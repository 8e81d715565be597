/** Where time comes from: tests hold it. */
export interface Clock {
  now(): number
  sleep(ms: number): Promise<void>
  /** Calls `run` again and again until the returned function is called. */
  every(ms: number, run: () => void): () => void
}

export const realClock: Clock = {
  now: Date.now,
  sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
  every(ms, run) {
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  },
}
