import { untrack } from 'svelte'
import { DEV } from '../base/env.ts'
import { componentName } from '../binding/componentName.ts'
import { valuesOf } from '../binding/getterArgs.ts'
import { isOnServer, waitForMore } from '../binding/onServer.ts'
import { Reader, type Take, viewOf } from '../binding/Reader.ts'
import { isSkip, type Target } from '../requests/Reading.ts'
import { useController } from './context.ts'
import { createMembers } from './members.ts'

/** The reader for the current arguments. State that they read is tracked. */
export function createReaderSource<T>(
  target: () => Target,
  args: readonly unknown[],
  take: Take<T>,
  passive?: boolean,
  keeps?: boolean,
): () => Reader<T> {
  const controller = useController()
  const name = DEV ? componentName() : undefined
  let reader: Reader<T> | undefined
  return () => {
    const by = target()
    const values = valuesOf(args)
    return untrack(() => {
      const view = viewOf(controller, by, values, passive)
      // Equal arguments have the same view, and may come with other options.
      if (reader?.view === view) {
        reader.use(by)
      } else {
        reader = new Reader(controller, by, values, view, take, passive, keeps, name)
      }
      return reader
    })
  }
}

/** An object with what a reader that never fetches shows, as `data`. */
export function createPassive(target: Target, args: readonly unknown[], take: Take<any>): object {
  const controller = useController()
  const reader = createReaderSource(() => target, args, take, true)
  const data = (one: Reader<any>, isFirst: boolean): unknown =>
    isFirst && !isOnServer(controller) ? one.getFirst() : one.get()
  return createMembers(controller, reader, { data }, (one) => {
    if (one.get() === undefined && !isSkip(one.args)) {
      void waitForMore(controller)
    }
  })
}
