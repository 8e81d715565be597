import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import classes from './inside.module.css'

interface VirtualListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  readonly children: (item: T) => ReactNode
  readonly empty: string
  readonly selected?: string | undefined
  readonly onSelect?: (key: string) => void
}

const HEIGHT = 32
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }

/** Rows of one height, of which only those in sight are rendered. With `onSelect` arrow keys choose one. */
export function VirtualList<T>(props: VirtualListProps<T>): ReactNode {
  const { label, items, keyOf, children, empty, selected, onSelect } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT,
    overscan: 8,
  })
  const at = selected === undefined ? -1 : items.findIndex((item) => keyOf(item) === selected)

  const choose = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (!step || !onSelect || items.length === 0) {
      return
    }
    event.preventDefault()
    const index = Math.min(Math.max(at + step, 0), items.length - 1)
    onSelect(keyOf(items[index]!))
    virtual.scrollToIndex(index)
  }

  if (items.length === 0) {
    return <div className={classes['empty']}>{empty}</div>
  }
  return (
    <div
      ref={box}
      className={classes['list']}
      role={onSelect ? 'listbox' : 'list'}
      aria-label={label}
      aria-activedescendant={at < 0 ? undefined : `${id}${at}`}
      tabIndex={0}
      onKeyDown={choose}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items[index]!
          return (
            <div
              key={keyOf(item)}
              id={`${id}${index}`}
              className={classes['row']}
              role={onSelect ? 'option' : 'listitem'}
              aria-selected={onSelect ? index === at : undefined}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              style={{ height: HEIGHT, transform: `translateY(${start}px)` }}
              onClick={() => onSelect?.(keyOf(item))}
            >
              {children(item)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
