import { afterAll, afterEach } from 'vitest'

const { reportError } = globalThis as { reportError?: (error: unknown) => void }
const broken: string[] = []

// A row that breaks an invariant (`src/store/checkRow.ts`) is reported like any other error; here it fails the test.
globalThis.reportError = (error) => {
  if (String(error).includes('breaks the invariant')) {
    broken.push(String(error))
  } else if (reportError) {
    reportError(error)
  } else {
    console.error(error)
  }
}

afterEach(() => {
  const all = broken.splice(0)
  if (all.length > 0) {
    throw new Error(all.join('\n'))
  }
})

// Files share a process.
afterAll(() => {
  globalThis.reportError = reportError as typeof globalThis.reportError
})
