export {
  type CheckedReads,
  type DataOf,
  type DataOfAll,
  type DLEAll,
  type DLEOfAll,
  type DLEState,
  type HookArgs,
  type IfNull,
  keyOf,
  optionsOf,
  type QueryArgs,
  type Read,
  type ReadOptions,
} from './args.ts'
export { createChunks, takeChunks } from './chunks.ts'
export { componentName } from './componentName.ts'
export { type Cancelling, createCancelling, type Extensible } from './createCancelling.ts'
export {
  createDLEReader,
  type DLE,
  type DLEMembers,
  type DLEReader,
  type DLEResult,
  type RefetchState,
  type Shown,
} from './createDLEReader.ts'
export {
  createMutation,
  type Mutation,
  type MutationMembers,
  type MutationOptions,
  type MutationSource,
} from './createMutation.ts'
export { createMockStore, type MockStoreOptions } from './createMockStore.ts'
export { createOutbox, type OutboxReading, type OutboxSource } from './createOutbox.ts'
export { createMutationCalls, type MutationCall, type MutationCalls } from './createMutationCalls.ts'
export {
  createPages,
  IDLE_PAGES,
  type Infinite,
  type InfiniteDLE,
  itemsIn,
  type ItemsOf,
  joinPages,
  type PagedEndpoint,
  type Pages,
  type PagesState,
  showPages,
} from './createPages.ts'
export { createPolling, type Source } from './createPolling.ts'
export { createReader, type DataReader, type ReaderState } from './createReader.ts'
export { type AnyRead, createReaderGroup, groupKey, joinSeen, type ReaderGroup } from './createReaderGroup.ts'
export { createTracker, type Members } from './createTracker.ts'
export {
  createUndoable,
  type Undoable,
  type UndoableChange,
  type UndoableOptions,
  type UndoableSource,
  type UndoableState,
} from './createUndoable.ts'
export { forgive } from './forgive.ts'
export { type GetterArgs, type MaybeGetter, type PlainGetterArgs, plainOf, plainReads, valuesOf } from './getterArgs.ts'
export { awaitInitialData, getInitialData } from './initialData.ts'
export { followServer, isOnServer, pageOf, waitForMore } from './onServer.ts'
export { checkStore, openStore, type ProviderOptions } from './openStore.ts'
export { onArrival, Reader, type Seen, takeAll, type Take, takeData, takeError, viewOf } from './Reader.ts'
export type { Rest } from './rest.ts'
export { createServerRestitch, type ServerRestitch } from './serverPage.ts'
export { createServerStore, type ServerStoreOptions } from './serverStore.ts'
export { settleRequests } from './settleRequests.ts'
export { renderState, type StateScript, stateScript, type StateScriptOptions } from './stateScript.ts'
export { checkSchema, type SchemaMemory } from './steadySchema.ts'
export { type Usable, usableOf } from './usableOf.ts'
export { type EndlessList, watchEnd } from './watchEnd.ts'
export { countRequests, watchRequests } from './watchRequests.ts'
export type { Fetched, Known } from '../controller/Controller.ts'
export type { KeyTest } from '../requests/actions.ts'
export { isSkip, type Target } from '../requests/Reading.ts'
export { createMocks, type Mocks } from '../mock/mocks.ts'
export { withMocks } from '../mock/withMocks.ts'
export { withoutChance } from '../mock/withoutChance.ts'
