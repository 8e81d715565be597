import type { CSSProperties, ReactNode } from 'react'
import classes from './inside.module.css'

/** A word on a ground of one colour of the theme. */
export function Tag({ color, children }: { color: string; children: ReactNode }): ReactNode {
  return (
    <span className={classes['tag']} style={{ '--tag': `var(--mantine-color-${color}-light)` } as CSSProperties}>
      {children}
    </span>
  )
}
