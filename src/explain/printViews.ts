import { SharedView } from '../views/SharedView.ts'
import { nodeName } from './rowNames.ts'

type Inspect = (value: unknown, options: object) => string

/** Makes views readable when Node prints them: without it they show the whole graph of the store. */
export function printViews(): void {
  // Node looks for this symbol. A constant of the module would stay in production bundles.
  Object.defineProperty(SharedView.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    configurable: true,
    value(this: SharedView, _depth: number, options: object, inspect: Inspect): string {
      return `View ${nodeName(this.node)} ${inspect(describeView(this), options)}`
    },
  })
}

/** A view as people read it. */
export function describeView(view: SharedView): object {
  const { data, error, expiresAt } = view.read()
  return { data, ...(error !== undefined && { error }), expiresAt, subscribers: view.readers.size }
}
