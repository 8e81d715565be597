import { h } from './dom.ts'
import type { Settings } from './settings.ts'

/** Below this width of the page the panel fills it. */
export const NARROW = 640
const LEAST = { width: 320, height: 200 }

/** Places the panel, and lets a pointer move and resize it. Returns the function that places it again. */
export function createFrame(panel: HTMLElement, head: HTMLElement, settings: Settings, save: () => void): () => void {
  const grip = h('div', { class: 'grip', aria: { hidden: true } })
  panel.append(grip)

  const place = (): void => {
    const { dock } = settings
    const isNarrow = innerWidth < NARROW
    const width = clamp(settings.width, LEAST.width, dock === 'right' ? innerWidth * 0.6 : innerWidth)
    const isStacked = isNarrow || (dock !== 'bottom' && width < NARROW)
    panel.className = `panel ${isNarrow ? 'bottom narrow' : dock}${isStacked ? ' stacked' : ''}`
    const height = clamp(settings.height, LEAST.height, innerHeight)
    const style: Partial<CSSStyleDeclaration> = { left: '', top: '', width: '', height: '' }
    if (isNarrow) {
      style.height = `${Math.round(innerHeight * 0.7)}px`
    } else if (dock === 'bottom') {
      style.height = `${height}px`
    } else if (dock === 'right') {
      style.width = `${width}px`
    } else {
      style.width = `${width}px`
      style.height = `${height}px`
      style.left = `${clamp(settings.left, 0, innerWidth - width)}px`
      style.top = `${clamp(settings.top, 0, innerHeight - height)}px`
    }
    Object.assign(panel.style, style)
    grip.hidden = isNarrow || dock !== 'float'
  }

  /** Follows a pointer from where it went down. */
  const drag = (handle: HTMLElement, start: () => (dx: number, dy: number) => void): void => {
    handle.addEventListener('pointerdown', (event) => {
      const target = event.composedPath()[0] as HTMLElement
      if (settings.dock !== 'float' || innerWidth < NARROW || target.closest('button, select')) {
        return
      }
      event.preventDefault()
      const { clientX, clientY } = event
      const move = start()
      const follow = (next: PointerEvent): void => {
        move(next.clientX - clientX, next.clientY - clientY)
        place()
      }
      const end = (): void => {
        removeEventListener('pointermove', follow)
        save()
      }
      addEventListener('pointermove', follow)
      addEventListener('pointerup', end, { once: true })
    })
  }
  drag(head, () => {
    const { left, top } = settings
    return (dx, dy) => {
      settings.left = clamp(left + dx, 0, innerWidth - settings.width)
      settings.top = clamp(top + dy, 0, innerHeight - 60)
    }
  })
  drag(grip, () => {
    const { width, height } = settings
    return (dx, dy) => {
      settings.width = clamp(width + dx, LEAST.width, innerWidth)
      settings.height = clamp(height + dy, LEAST.height, innerHeight)
    }
  })
  return place
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}
