import type { Config } from './config.ts'
import { FileScope, type Layout } from './FileScope.ts'
import { resourceConfig, type ResourcePlan } from './inferResources.ts'
import { Names, pascalCase, pathName, RESERVED_TYPES, RESERVED_VALUES, singularName } from './names.ts'
import { operationConfig } from './paths.ts'
import { print, printComment } from './print.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'
import type { SearchStyle } from './searchStyles.ts'
import type { TagTask } from './TagTask.ts'
import type { Types } from './Types.ts'
import type { Validators } from './Validators.ts'
import { endpointDoc, operationComment } from './writeEndpoint.ts'
import { rankOf, writeResource } from './writeResource.ts'

/** The parts of a tag. */
export type TagItem = ResourcePlan | Operation

/** Writes the file of a tag: its resources and endpoints. */
export function writeTag(
  file: string,
  items: readonly TagItem[],
  types: Types,
  layout: Layout,
  config: Config,
  report: Report,
  validators: Validators | undefined,
  resources: readonly ResourcePlan[],
  styles: ReadonlyMap<string, SearchStyle | undefined>,
): {
  readonly text: string
  readonly scope: FileScope
  readonly endpoints: ReadonlyMap<Operation, string>
  readonly params: TagTask['params']
} {
  const scope = new FileScope(file, types, layout)
  const typeNames = new Names([...RESERVED_TYPES, ...types.allNames()])
  const names = new Names([...RESERVED_VALUES, ...types.allNames()])
  const resourceNames = nameResources(items, names, config)
  const operations = items.filter((item): item is Operation => 'method' in item)
  const endpointNames = nameEndpoints(operations, names, config)
  const endpoints = new Map<Operation, string>()
  const task: TagTask = {
    file,
    types,
    scope,
    config,
    report,
    typeNames,
    validators,
    resources,
    styles,
    lines: [],
    endpoints,
    params: new Map(),
  }
  for (const item of items) {
    if ('members' in item) {
      writeResource(task, item, resourceNames.get(item)!)
    } else {
      writeEndpoint(task, item, endpointNames.get(item)!)
    }
  }
  const code = task.lines.join('\n')
  return { text: scope.print(code) + code, scope, endpoints, params: task.params }
}

function nameEndpoints(operations: readonly Operation[], names: Names, config: Config): Map<Operation, string> {
  return new Map(
    operations.map((operation) => {
      const { name, tag } = operation
      const { name: given } = operationConfig(operation, config)
      return [
        operation,
        given === undefined
          ? names.take(name, `${name}${pascalCase(singularName(tag))}`)
          : names.takeGiven(given, operation.id),
      ]
    }),
  )
}

function writeEndpoint(task: TagTask, operation: Operation, name: string): void {
  const comment = operationComment(operation)
  const doc = endpointDoc(task, operation, pascalCase(name), (param) => task.types.field(param), name)
  task.lines.push(`${comment ? printComment(comment) : ''}${print([`export const ${name} = `, doc])}\n`)
}

/** Names the resources of a file by their paths alone. Of two that would have the same name, the one with the shorter path has it. */
function nameResources(items: readonly TagItem[], names: Names, config: Config): Map<ResourcePlan, string> {
  const plans = items
    .filter((item): item is ResourcePlan => 'members' in item)
    .sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))
  return new Map(
    plans.map((plan) => {
      const given = resourceConfig(plan.collection, config)
      if (given) {
        return [plan, names.takeGiven(given, `the resource of ${plan.collection}`)]
      }
      const name = pathName(plan.collection)
      // `/user/keys` and `/users/{name}/keys`; or a schema has the name.
      return [
        plan,
        names.take(
          name,
          pathName(plan.collection, (part) => part),
          `${name}Resource`,
        ),
      ]
    }),
  )
}
