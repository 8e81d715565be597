import type { Choice } from './polymorphic.ts'
import type { IDenormalizeDelegate, ListSchema } from './Schema.ts'

/** A Collection, as far as the heart knows it. `kinds/Collection.ts` is one, and says what the members mean. */
export interface ListClass extends ListSchema {
  /** The code of lists (`lists/code.ts`). */
  readonly code: object
  readonly cacheWith: {
    readonly choice: Choice
    readonly isMap: boolean
    denormalize(input: any, delegate: IDenormalizeDelegate): any
  }
  readonly options: {
    readonly argsKey?: (...args: any) => Record<string, any>
    readonly nestKey?: (parent: any, key: string) => Record<string, any>
  }
  readonly move: { readonly merge: ((existing: any, incoming: any) => any) | undefined }
}
