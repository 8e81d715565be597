import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { OpenApiError } from './errors.ts'
import type { Done } from './run.ts'

/** Editors write a file in several steps. */
const QUIET = 50

/** Runs again whenever one of the files of the last run changes, until the signal is aborted. A fault is printed, and does not end it. */
export async function watchFiles(
  once: () => Promise<Done>,
  warn: (text: string) => void,
  print: (text: string) => void,
  signal?: AbortSignal,
): Promise<number> {
  let files: readonly string[] = []
  const isOver = (): boolean => signal?.aborted === true
  while (!isOver()) {
    try {
      files = (await once()).files
    } catch (error) {
      // The first run says what to watch.
      if (!(error instanceof OpenApiError) || files.length === 0) {
        throw error
      }
      warn(error.message)
    }
    print(`watching ${files.length} ${files.length === 1 ? 'file' : 'files'}`)
    await nextChange(files, signal)
  }
  return 0
}

/** Resolves when one of the files changes, or when the signal is aborted. */
async function nextChange(files: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) {
    return
  }
  const watchers: FSWatcher[] = []
  await new Promise<void>((resolve) => {
    const change = (): void => void setTimeout(resolve, QUIET)
    // A folder also reports a file that is replaced by another one.
    for (const folder of new Set(files.map((file) => dirname(file)))) {
      const names = new Set(files.filter((file) => dirname(file) === folder).map((file) => basename(file)))
      watchers.push(watch(folder, (_event, name) => (name === null || names.has(name) ? change() : undefined)))
    }
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
  for (const watcher of watchers) {
    watcher.close()
  }
}
