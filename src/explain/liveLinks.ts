import type { LiveFact } from '../advice/Explanation.ts'
import type { Controller } from '../controller/Controller.ts'

/** Reports on a live connection; with a key, only if the connection keeps that key up to date. */
export type LiveReport = (key?: string) => LiveFact | undefined

const reports = /* @__PURE__ */ new WeakMap<Controller, LiveReport[]>()

/** A manager adds its connection here, in any build, so that devtools which are opened later find it. */
export function addLive(controller: Controller, report: LiveReport): void {
  reports.set(controller, [...(reports.get(controller) ?? []), report])
}

/** The live connections of a store; with a key, those that keep it up to date. */
export function liveOf(controller: Controller, key?: string): LiveFact[] {
  return (reports.get(controller) ?? []).flatMap((report) => report(key) ?? [])
}
