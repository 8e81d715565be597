import type { KeyboardCoordinateGetter } from '@dnd-kit/core'

const STEPS: Record<string, readonly [x: number, y: number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
}

/** An arrow key carries a card to the next place in that direction. */
export const jumpByKey: KeyboardCoordinateGetter = (event, { context, currentCoordinates: { x, y } }) => {
  const step = STEPS[event.code]
  if (!step) {
    return undefined
  }
  event.preventDefault()
  const [right, down] = step
  const places = context.droppableContainers.getEnabled().flatMap(({ id }) => {
    const rect = context.droppableRects.get(id)
    if (!rect || id === `before ${context.active?.id}`) {
      return []
    }
    const ahead = (rect.left - x) * right + (rect.top - y) * down
    const aside = Math.abs((rect.left - x) * down) + Math.abs((rect.top - y) * right)
    return ahead > 8 ? [{ x: rect.left, y: rect.top, far: ahead + aside * 2 }] : []
  })
  return places.sort((a, b) => a.far - b.far)[0]
}
