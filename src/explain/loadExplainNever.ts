import type { explainTarget as Explain } from './explainTarget.ts'
import type { observeStore as ObserveStore } from './pageConsole.ts'

// Metro leaves out no module, so React Native gets none of it without `restitch/explain` or `restitch/devtools`.
export const explainTarget: typeof Explain | undefined = undefined
export const observeStore: typeof ObserveStore | undefined = undefined
