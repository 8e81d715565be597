import type { JsonSchema } from './Description.ts'
import type { Model, ObjectView } from './Model.ts'

/** The names on the way to a member: `meta.next` is `next` inside `meta`, but `odata.nextLink` is one name where an object has it. */
export function memberPath(model: Model, schema: JsonSchema | undefined, path: string): readonly string[] {
  const parts = path.split('.')
  const views = schema === undefined ? [] : viewsOf(model, schema)
  for (let count = parts.length; count > 1; count--) {
    const name = parts.slice(0, count).join('.')
    const view = views.find(({ properties }) => properties.has(name))
    if (view !== undefined) {
      return [name, ...restOf(model, view.properties.get(name), parts.slice(count))]
    }
  }
  const [first] = parts as [string]
  const view = views.find(({ properties }) => properties.has(first))
  return [first, ...restOf(model, view?.properties.get(first), parts.slice(1))]
}

/** The objects that a schema may be. */
export function viewsOf(model: Model, node: JsonSchema): ObjectView[] {
  const view = model.view(node)
  return view ? [view] : model.options(node).flatMap((option) => (option === node ? [] : viewsOf(model, option)))
}

function restOf(model: Model, schema: JsonSchema | undefined, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : memberPath(model, schema, parts.join('.'))
}
