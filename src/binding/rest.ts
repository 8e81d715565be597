import type { Controller } from '../controller/Controller.ts'
import { setHold } from './onServer.ts'

/** When a server has fetched all data of a page. */
export interface Rest {
  /** Nothing is being fetched, and what was there has been rendered. */
  isOver(): boolean
  /** A reader without data waits for more. */
  isHeld(): boolean
  /** Resolves once it is over. */
  end(): Promise<void>
}

export function createRest(controller: Controller): Rest {
  const { requests } = controller.core
  let resting: Promise<void> | undefined
  let isQuiet = false
  let isReady = false
  let isHeld = false

  const quiet = async (): Promise<void> => {
    // A response makes React render within a turn, and that may fetch more.
    for (let turns = 0; turns < 2; turns++) {
      await new Promise((done) => setTimeout(done, 0))
      const open = [...requests.open.values()]
      if (open.length === 0) {
        continue
      }
      turns = -1
      await Promise.allSettled(open.map(({ action }) => action.meta.promise))
    }
  }
  const settle = async (): Promise<void> => {
    await quiet()
    isQuiet = true
    resting = undefined
  }
  const isBusy = (): boolean => requests.open.size > 0

  // A reader without data renders again when no more data is on its way.
  setHold(controller, () => {
    if (isBusy()) {
      isQuiet = false
    }
    if (isQuiet) {
      return undefined
    }
    isHeld = true
    return (resting ??= settle())
  })

  return {
    isOver: () => isReady && !isBusy(),
    isHeld: () => isHeld,
    async end() {
      // Components that were held may fetch more when they render.
      do {
        isHeld = false
        await quiet()
      } while (isHeld)
      isReady = true
    },
  }
}
