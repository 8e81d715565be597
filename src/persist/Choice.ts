import type { Row } from '../rows/Row.ts'
import type { Table } from '../rows/Table.ts'
import type { PersistOptions, PersistTarget } from './PersistOptions.ts'

/** Which rows are stored, by what the app includes and excludes. */
export class Choice {
  /** It leaves something out. */
  readonly isPartial: boolean
  private readonly included: Targets | undefined
  private readonly excluded: Targets

  constructor({ include, exclude = [] }: Pick<PersistOptions, 'include' | 'exclude'>) {
    this.included = include && targetsOf(include)
    this.excluded = targetsOf(exclude)
    this.isPartial = include !== undefined || exclude.length > 0
  }

  has({ table, pk }: Pick<Row, 'pk'> & { readonly table: Pick<Table, 'key' | 'holds'> }): boolean {
    const { included, excluded } = this
    if (table.key === '') {
      const isOf = ({ tests }: Targets): boolean => tests.some((one) => one.testKey(pk))
      return !isOf(excluded) && (!included || included.tests.length === 0 || isOf(included))
    }
    const names = table.holds.length > 0 ? table.holds : [table.key]
    return (
      !names.some((name) => excluded.names.has(name)) &&
      (!included || included.names.size === 0 || names.every((name) => included.names.has(name)))
    )
  }
}

interface Targets {
  readonly names: ReadonlySet<string>
  readonly tests: readonly { testKey(key: string): boolean }[]
}

function targetsOf(targets: readonly PersistTarget[]): Targets {
  // An endpoint has a function `key`, an Entity a name.
  const tests = targets.filter((one): one is Targets['tests'][number] => 'testKey' in one)
  const names = targets.flatMap((one) => ('testKey' in one ? [] : [one.key]))
  return { names: new Set(names), tests }
}
