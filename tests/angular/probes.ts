import '@angular/compiler'
import {
  ChangeDetectionStrategy,
  Component,
  computed,
  inject,
  InjectionToken,
  isSignal,
  type Signal,
  signal,
  type Type,
  type WritableSignal,
} from '@angular/core'
import {
  injectCancelling,
  injectData,
  injectDataAll,
  injectFetching,
  injectInfinite,
  injectLive,
  injectMutation,
  injectMutations,
  injectQuery,
  injectUndoable,
} from 'restitch/angular'
import { showTitle, type Use } from '../../src/testing/contract/Adapter.ts'

/** Each kind of function, as an object with signals. */
const FUNCTIONS: Record<Use['kind'], (of: any, args: any) => any> = {
  data: (of, args) => injectData(of, ...(args as [])),
  suspense: (of, args) => injectData(of, ...(args as [])),
  query: (of, args) => ({ data: injectQuery(of, ...(args as [])) }),
  infinite: (of, args) => injectInfinite(of, ...(args as [])),
  live: (of, args) => injectLive(of, ...(args as [])),
  mutation: (of) => injectMutation(of),
  undoable: (of) => injectUndoable(of),
  mutations: (of) => ({ calls: injectMutations(of) }),
  all: (of, [list]) => injectDataAll(() => list().map((one: unknown) => [of, one])),
  cancelling: (of, args) => injectCancelling(of, ...(args as [])),
  count: () => ({ count: injectFetching() }),
}

/** The uses of the components of an app, and their results. */
export class Probes {
  readonly uses: readonly Use[]
  readonly results: any[] = []
  readonly args: WritableSignal<readonly any[]>[] = []

  constructor(uses: readonly Use[]) {
    this.uses = uses
  }

  /** In a component: the text of the next one. */
  add(): Signal<string> {
    const { kind, of, args: given = [], show } = this.uses[this.results.length]!
    const args = signal(given)
    this.args.push(args)
    const values = given.map((_, at) => () => args()[at] as unknown)
    const result = plain(FUNCTIONS[kind](of, values))
    this.results.push(result)
    return computed(() => {
      // A component of Angular does not suspend.
      const isThere = kind !== 'suspense' || (!result.loading && !result.error)
      return String(isThere ? show(result) : showTitle(result))
    })
  }
}

/** The same with a getter for each signal. */
function plain(signals: object): any {
  const result = {}
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(signals))) {
    const { value } = descriptor as { readonly value?: unknown }
    Object.defineProperty(result, name, isSignal(value) ? { enumerable: true, get: () => value() } : descriptor)
  }
  return result
}

export const PROBES: InjectionToken<Probes> = new InjectionToken('probes')

class Probe {
  readonly text = inject(PROBES).add()
}
Component({
  selector: 'app-probe',
  template: '<p>{{ text() }}</p>',
  changeDetection: ChangeDetectionStrategy.OnPush,
})(Probe)

class Root {
  readonly probes = inject(PROBES)
}
Component({
  selector: 'app-root',
  imports: [Probe],
  template: '@for (use of probes.uses; track $index) { <app-probe /> }',
  changeDetection: ChangeDetectionStrategy.OnPush,
})(Root)

/** The app. A decorator needs a compiler, so it is called. */
export const App: Type<unknown> = Root
