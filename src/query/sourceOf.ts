import { isObject } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import { shapeOf } from '../reading/recordNodes.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isEntity } from '../schema/Schema.ts'
import { ClassSource } from './ClassSource.ts'
import type { Hub } from './Hub.ts'
import { ListSource } from './ListSource.ts'
import type { Stage } from './Stage.ts'

/** The stage of the records of an input. Those of the same input are shared. */
export function sourceOf(hub: Hub, input: any, args: readonly any[]): Stage {
  const isUnion = isObject(input) && input['isUnion'] === true
  const classes: readonly RecordClass[] | undefined = isUnion
    ? Object.values(input['schema'] as Record<string, RecordClass>)
    : isEntity(input)
      ? [input as unknown as RecordClass]
      : undefined
  const isShared = classes?.every((Class) => !shapeOf(Class).usesArgs)
  const stages = recall(hub.sources as Map<unknown, Map<string, Stage>>, input, () => new Map<string, Stage>())
  return recall(stages, isShared ? '' : stableKey(args), () =>
    classes ? new ClassSource(hub, args, classes) : new ListSource(hub, args, input as object),
  )
}
