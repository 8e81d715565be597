import { computed, type ComputedRef, type MaybeRefOrGetter, toValue } from 'vue'
import { type AnyRead, createReaderGroup, groupKey, type ReaderGroup } from '../binding/createReaderGroup.ts'
import { type Reader, type Seen, takeAll } from '../binding/Reader.ts'
import { valuesOf } from './args.ts'
import { useShown } from './reader.ts'
import { useController } from './useController.ts'

interface KeyedGroup extends ReaderGroup<Seen> {
  readonly key: string
}

/** The readers of any number of reads, which may change, and what they show. A read that stays keeps its reader. */
export function useReaderGroup(reads: MaybeRefOrGetter<readonly (readonly unknown[])[]>): {
  readonly group: ComputedRef<ReaderGroup<Seen>>
  readonly shown: ComputedRef<readonly Seen[]>
} {
  const controller = useController()
  /** The readers on the screen. */
  const mounted: { current?: readonly Reader<Seen>[] } = {}
  const group = computed<KeyedGroup>((last) => {
    const values = toValue(reads).map(plainRead)
    const key = groupKey(controller, values)
    const made = last?.key === key ? last : { ...createReaderGroup(controller, values, takeAll, mounted), key }
    for (const [index, reader] of made.readers.entries()) {
      // An equal read may have other options.
      reader.use(values[index]![0])
    }
    return made
  })
  return { group, shown: useShown(group, (one, isFirst) => (isFirst ? one.getFirst() : one.get())) }
}

function plainRead([target, ...args]: readonly unknown[]): AnyRead {
  return [target as AnyRead[0], ...valuesOf(args)]
}
