import type { Config } from './config.ts'
import type { FileScope } from './FileScope.ts'
import type { ResourcePlan } from './inferResources.ts'
import type { Names } from './names.ts'
import type { Doc } from './print.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'
import type { SearchStyle } from './searchStyles.ts'
import type { Types } from './Types.ts'
import type { Validators } from './Validators.ts'

/** Everything that a file of a tag is written with. */
export interface TagTask {
  /** The path of the file, without its end. */
  readonly file: string
  readonly types: Types
  readonly scope: FileScope
  readonly config: Config
  readonly report: Report
  /** The names of interfaces of this file. */
  readonly typeNames: Names
  readonly validators: Validators | undefined
  /** The resources of all files. */
  readonly resources: readonly ResourcePlan[]
  /** How query parameters are written that are lists or objects. */
  readonly styles: ReadonlyMap<string, SearchStyle | undefined>
  /** The declarations of this file, in order. */
  readonly lines: string[]
  /** The name of the endpoint of each operation: `Pets.getList`. */
  readonly endpoints: Map<Operation, string>
  /** The arguments of its path parameters, where they have other names. */
  readonly params: Map<Operation, { readonly [param: string]: string }>
}

/** The options of an endpoint, by name. */
export type Options = Map<string, Doc>
