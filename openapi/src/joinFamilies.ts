import type { Config } from './config.ts'
import { type EntityInfo, signatureOf } from './Entities.ts'
import { findRecord } from './findRecord.ts'
import type { Model, ObjectView } from './Model.ts'
import { flatName, pascalCase, shortName, singularName, wordsOf } from './names.ts'
import type { Report } from './Report.ts'

/** Words at the beginning and at the end of a name that say which form of a record a schema is. */
const FIRST_WORDS = new Set(
  'simple simplified minimal full nullable public private basic base short shortened deleted expanded compact partial mini detailed extended embedded nested lite light slim brief abbreviated condensed summarized tiny reduced complete'.split(
    ' ',
  ),
)
const LAST_WORDS = new Set(
  'simple simplified minimal full basic base short summary overview preview brief detail details detailed response result results item items search dto vm viewmodel model resource object obj schema read view compact mini lite light slim partial extended output out public'.split(
    ' ',
  ),
)

/** The words of a name without those that say which form it is. */
function plainName(name: string): string {
  let words = wordsOf(name).map((word) => word.toLowerCase())
  const extra = words.indexOf('with')
  words = extra > 0 ? words.slice(0, extra) : words
  while (words.length > 1 && FIRST_WORDS.has(words[0]!)) {
    words = words.slice(1)
  }
  // `project-item-simple` is a form of an item, not of a project.
  for (
    let count = 0;
    words.length > 1 && LAST_WORDS.has(words.at(-1)!) && (count === 0 || words.at(-1) !== 'item');
    count++
  ) {
    words = words.slice(0, -1)
  }
  return singularName(words.join('-'))
}

/** The table of the records of a schema. */
export function tableOf(name: string): string {
  return pascalCase(plainName(shortName(name)))
}

/** Adds the other forms of each record, and gives forms that do not fit together tables of their own. Returns the aliases. */
export function joinFamilies(
  model: Model,
  entities: Map<string, EntityInfo>,
  reachable: Iterable<string>,
  config: Config,
  report: Report,
  families: ReadonlyMap<string, string>,
): Map<string, string> {
  const aliases = new Map<string, string>()
  const tables = new Map<string, EntityInfo>()
  for (const [name, entity] of entities) {
    const first = tables.get(entity.table)
    if (first === undefined) {
      tables.set(entity.table, entity)
    } else if (!config.entities?.[name] && !isForm(entity.view, first)) {
      entities.set(name, { ...entity, table: pascalCase(shortName(name)) })
    }
  }
  for (const name of reachable) {
    const configured = config.entities?.[name]
    if (entities.has(name) || configured === false) {
      continue
    }
    const table = tableOf(families.get(name) ?? name)
    const view = model.view(model.component(name))
    const main = tables.get(table) ?? [...tables.values()].find((other) => isShortFor(table, other.table))
    if (view === undefined || main === undefined || main.scope.length > 0 || !isForm(view, main)) {
      continue
    }
    if (findRecord(model, model.component(name), '')?.isList) {
      continue
    }
    const same = [...entities.values()].find(
      (entity) => entity.table === main.table && signatureOf(entity.view) === signatureOf(view),
    )
    if (same !== undefined && wordsOf(name)[0]?.toLowerCase() === 'nullable') {
      aliases.set(name, same.schema)
      continue
    }
    entities.set(name, { schema: name, table: main.table, key: main.key, scope: [], view })
    report.add(
      'inferred',
      'entity',
      name,
      `a form of ${main.table}`,
      `its name and fields are like those of "${main.schema}"`,
    )
  }
  // A nullable form may come before the one that it is an alias of.
  for (const [name, entity] of entities) {
    const plain = entity.schema.replace(/^nullable[-_ ]?/i, '')
    const same = [...entities.values()].find(
      (other) => other !== entity && flatName(other.schema) === flatName(plain) && other.table === entity.table,
    )
    if (plain !== entity.schema && same !== undefined && signatureOf(same.view) === signatureOf(entity.view)) {
      entities.delete(name)
      aliases.set(name, same.schema)
    }
  }
  return aliases
}

/** `Repo` is `Repository`. */
export function isShortFor(short: string, table: string): boolean {
  return short.length > 3 && table.startsWith(short) && !/[A-Z]/.test(table.slice(1))
}

/** True if a schema may be another form of an entity: it has the key, and most fields of the smaller one are in both. */
function isForm(view: ObjectView, main: EntityInfo): boolean {
  const [own, theirs] = [[...view.properties.keys()], [...main.view.properties.keys()]]
  const shared = own.filter((name) => main.view.properties.has(name)).length
  return (
    main.key.every((field) => view.properties.has(field.split('.')[0]!)) &&
    shared >= 2 &&
    shared / Math.min(own.length, theirs.length) >= 0.5
  )
}
