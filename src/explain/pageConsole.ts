import type { Explanation } from '../advice/Explanation.ts'
import type { Controller } from '../controller/Controller.ts'
import { isEntity } from '../schema/Schema.ts'
import { explainTarget } from './explainTarget.ts'
import { observe, observedControllers } from './observe.ts'
import { nameOf } from './rowNames.ts'

const MOST = 5

/** `__RESTITCH__` in the console of a page. */
interface PageConsole {
  /** The controllers of the running stores, the oldest first. */
  readonly controllers: readonly Controller[]
  /**
   * Prints why requests and records show what they show, and returns the explanations. A part of the URL or of the name is enough.
   * Without a name, it returns the names.
   */
  explain(name?: string): readonly (Explanation | string)[]
}

interface Subject {
  readonly name: string
  readonly explain: () => Explanation
}

const pageConsole: PageConsole = {
  get controllers() {
    return observedControllers()
  },
  explain(name) {
    const subjects = observedControllers().flatMap(subjectsOf)
    if (name === undefined) {
      return subjects.map((subject) => subject.name)
    }
    const explanations = matching(subjects, name).map((subject) => subject.explain())
    const none = `The store has nothing that is called "${name}". __RESTITCH__.explain() names what it has.`
    // oxlint-disable-next-line no-console -- its purpose
    console.log(explanations.map(String).join('\n\n') || none)
    return explanations
  },
}

/** Records the history of a store, and lets the console of the page explain it. */
export function observeStore(controller: Controller): void {
  observe(controller)
  // Of two copies of the library, the later one stays.
  Object.assign(globalThis, { __RESTITCH__: pageConsole })
}

/** The subjects of that name, else those whose name contains it. */
function matching(subjects: readonly Subject[], name: string): Subject[] {
  const wanted = name.toLowerCase()
  const exact = subjects.filter((subject) => subject.name.toLowerCase() === wanted)
  return exact.length > 0
    ? exact
    : subjects.filter((subject) => subject.name.toLowerCase().includes(wanted)).slice(0, MOST)
}

/** The reads of a store, and its records. */
function subjectsOf(controller: Controller): Subject[] {
  const { core } = controller
  const { endpoints, tables } = core.store.tables
  const history = observe(controller)
  const reads = [...endpoints.byPk.keys()].flatMap((key): Subject[] => {
    const [target, args] = history.target(key) ?? []
    return target && args ? [{ name: key, explain: () => explainTarget(controller, target, args) }] : []
  })
  const records = [...tables.values()]
    .filter(({ entity }) => isEntity(entity))
    .flatMap(({ entity, rows, floating }) =>
      [...rows, ...floating].map((row) => ({
        name: nameOf(row),
        explain: () => explainTarget(controller, entity as object, [row.pk]),
      })),
    )
  return [...reads, ...records]
}
