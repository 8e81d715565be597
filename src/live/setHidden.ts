import type { Core } from '../controller/Core.ts'
import { isLater } from '../views/plan.ts'

/** The page is hidden, or shown: then its readers fetch in one round what they owe. */
export function setHidden(core: Core, isHidden: boolean): void {
  const isShown = core.isHidden && !isHidden
  core.isHidden = isHidden
  for (const view of core.mounted) {
    if (isShown && isLater(view.dueAt)) {
      view.want()
    }
  }
}
