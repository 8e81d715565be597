import type { Rule } from 'eslint'
import { declareOutsideComponents } from './rules/declareOutsideComponents.ts'
import { entityDefault } from './rules/entityDefault.ts'
import { entityKey } from './rules/entityKey.ts'
import { handleMutateAsync } from './rules/handleMutateAsync.ts'
import { noDirectCall } from './rules/noDirectCall.ts'
import { noNonNullArgs } from './rules/noNonNullArgs.ts'
import { noRecordMutation } from './rules/noRecordMutation.ts'
import { noRecordSpread } from './rules/noRecordSpread.ts'
import { noSharedStore } from './rules/noSharedStore.ts'

/** All rules, by the names that a configuration uses. */
export const rules: Record<string, Rule.RuleModule> = {
  'declare-outside-components': declareOutsideComponents,
  'entity-default': entityDefault,
  'entity-key': entityKey,
  'handle-mutate-async': handleMutateAsync,
  'no-direct-call': noDirectCall,
  'no-non-null-args': noNonNullArgs,
  'no-record-mutation': noRecordMutation,
  'no-record-spread': noRecordSpread,
  'no-shared-store': noSharedStore,
}
