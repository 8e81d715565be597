import type { ReactNode } from 'react'
import type { MeasuredProject } from '../../resources/projects.ts'
import { Legend } from './Bar.tsx'
import { Chart } from './Chart.tsx'

interface WeeklyProps {
  readonly project: Pick<MeasuredProject, 'name' | 'weekly'>
  readonly height?: number
}

/** How many issues were opened and closed in each week. */
export function Weekly({ project: { name, weekly }, height = 180 }: WeeklyProps): ReactNode {
  const opened = weekly.reduce((sum, week) => sum + week.opened, 0)
  const closed = weekly.reduce((sum, week) => sum + week.closed, 0)
  const series = [
    { label: 'Opened', color: 'blue', values: weekly.map((week) => week.opened) },
    { label: 'Closed', color: 'teal', values: weekly.map((week) => week.closed) },
  ]
  return (
    <>
      <Legend parts={series} />
      <Chart
        kind="bars"
        height={height}
        label={`${name}: ${opened} issues opened and ${closed} closed in ${weekly.length} weeks`}
        x={weekly.map(({ week }) => Date.parse(week) / 1_000)}
        series={series}
      />
    </>
  )
}
