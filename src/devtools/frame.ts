import { h, setAria } from './dom.ts'
import { createPageSpace } from './pageSpace.ts'
import type { Settings } from './settings.ts'

/** Below this width of the page the panel fills it, and shows one thing at a time. */
const NARROW = 640
const LEAST = { width: 320, height: 200 }
const STEP = 24

interface Frame {
  /** Places the panel again. */
  place(): void
  /** Takes back the room that the page made. */
  remove(): void
}

/** Places the panel, and lets pointer and keyboard move and resize it. */
export function createFrame(panel: HTMLElement, head: HTMLElement, settings: Settings, save: () => void): Frame {
  const page = document
  const makeRoom = createPageSpace(page)
  const view = (): Window => panel.ownerDocument.defaultView ?? window
  const grip = h('div', { class: 'grip', aria: { hidden: true } })
  const edge = h('div', {
    class: 'edge',
    role: 'separator',
    tabindex: 0,
    aria: { label: 'Resize the devtools' },
    on: { keydown: (event) => resizeBy(event as KeyboardEvent) },
  })
  panel.prepend(edge)
  panel.append(grip)

  const dockOf = (): Settings['dock'] =>
    settings.dock !== 'window' && view().innerWidth < NARROW ? 'bottom' : settings.dock
  const heightOf = (): number => {
    const { innerWidth, innerHeight } = view()
    const least = innerWidth < NARROW ? innerHeight / 2 : LEAST.height
    return Math.round(clamp(settings.bottom, least, innerHeight * 0.9))
  }
  const widthOf = (): number => Math.round(clamp(settings.right, LEAST.width, view().innerWidth * 0.7))

  const place = (): void => {
    const dock = dockOf()
    const { innerWidth, innerHeight } = view()
    const isNarrow = innerWidth < NARROW
    const [height, width] = [heightOf(), widthOf()]
    const floating = {
      width: clamp(settings.width, LEAST.width, innerWidth),
      height: clamp(settings.height, LEAST.height, innerHeight),
    }
    const own = dock === 'right' ? width : dock === 'float' ? floating.width : innerWidth
    panel.className = `panel ${dock}${isNarrow ? ' narrow' : ''}${own < NARROW ? ' single' : ''}`
    const style: Partial<CSSStyleDeclaration> = { left: '', top: '', width: '', height: '' }
    if (dock === 'bottom') {
      style.height = `${height}px`
    } else if (dock === 'right') {
      style.width = `${width}px`
    } else if (dock === 'float') {
      style.width = `${floating.width}px`
      style.height = `${floating.height}px`
      style.left = `${clamp(settings.left, 0, innerWidth - floating.width)}px`
      style.top = `${clamp(settings.top, 0, innerHeight - floating.height)}px`
    }
    Object.assign(panel.style, style)
    grip.hidden = dock !== 'float'
    edge.hidden = dock !== 'bottom' && dock !== 'right'
    const size = dock === 'right' ? width : height
    setAria(edge, {
      orientation: dock === 'right' ? 'vertical' : 'horizontal',
      valuenow: size,
      valuemin: dock === 'right' ? LEAST.width : LEAST.height,
      valuemax: Math.round(dock === 'right' ? innerWidth * 0.7 : innerHeight * 0.9),
    })
    makeRoom(settings.isOpen && (dock === 'bottom' || dock === 'right') ? dock : undefined, size)
  }

  const resizeBy = (event: KeyboardEvent): void => {
    const isRight = dockOf() === 'right'
    const step = { [isRight ? 'ArrowLeft' : 'ArrowUp']: STEP, [isRight ? 'ArrowRight' : 'ArrowDown']: -STEP }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      resize(isRight, (isRight ? widthOf() : heightOf()) + step)
      save()
    }
  }
  const resize = (isRight: boolean, size: number): void => {
    settings[isRight ? 'right' : 'bottom'] = size
    place()
    settings[isRight ? 'right' : 'bottom'] = isRight ? widthOf() : heightOf()
  }

  /** Follows a pointer from where it went down. */
  const drag = (handle: HTMLElement, isOn: () => boolean, start: () => (dx: number, dy: number) => void): void => {
    handle.addEventListener('pointerdown', (event) => {
      const target = event.composedPath()[0] as HTMLElement
      if (!isOn() || target.closest('button, select')) {
        return
      }
      event.preventDefault()
      const { clientX, clientY } = event
      const move = start()
      const over = view()
      const follow = (next: PointerEvent): void => {
        move(next.clientX - clientX, next.clientY - clientY)
        place()
      }
      const end = (): void => {
        over.removeEventListener('pointermove', follow)
        over.removeEventListener('pointerup', end)
        over.removeEventListener('pointercancel', end)
        save()
      }
      over.addEventListener('pointermove', follow)
      over.addEventListener('pointerup', end)
      over.addEventListener('pointercancel', end)
    })
  }
  const isFloating = (): boolean => dockOf() === 'float'
  drag(head, isFloating, () => {
    const { left, top } = settings
    return (dx, dy) => {
      settings.left = clamp(left + dx, 0, view().innerWidth - settings.width)
      settings.top = clamp(top + dy, 0, view().innerHeight - 60)
    }
  })
  drag(grip, isFloating, () => {
    const { width, height } = settings
    return (dx, dy) => {
      settings.width = clamp(width + dx, LEAST.width, view().innerWidth)
      settings.height = clamp(height + dy, LEAST.height, view().innerHeight)
    }
  })
  drag(
    edge,
    () => true,
    () => {
      const isRight = dockOf() === 'right'
      const size = isRight ? widthOf() : heightOf()
      return (dx, dy) => resize(isRight, size - (isRight ? dx : dy))
    },
  )
  return { place, remove: () => makeRoom(undefined, 0) }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}
