import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import classes from './Chart.module.css'

export interface Series {
  readonly label: string
  /** A colour of the theme, such as `blue`. */
  readonly color: string
  readonly values: readonly number[]
}

interface ChartProps {
  /** The text alternative. */
  readonly label: string
  readonly kind: 'line' | 'bars'
  /** Epoch seconds, or plain numbers with `isTime={false}`. */
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly height?: number
  readonly isTime?: boolean
}

/** A uPlot chart: created again when its form changes, updated with new numbers otherwise. */
export function Chart({ label, kind, x, series, height = 180, isTime = true }: ChartProps): ReactNode {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const scheme = useComputedColorScheme('light')
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const data: uPlot.AlignedData = [x as number[], ...series.map(({ values }) => values as number[])]
  const form = JSON.stringify([series.map(({ label, color }) => [label, color]), scheme, kind, isTime])
  const latest = useRef(data)
  latest.current = data

  useEffect(() => {
    if (!box.current || width === 0) {
      return undefined
    }
    const made = new uPlot(
      optionsOf({ box: box.current, width, height, kind, series, isTime }),
      latest.current,
      box.current,
    )
    plot.current = made
    return () => made.destroy()
    // `form` stands for what it is made of; numbers are set below.
  }, [form, width, height])

  const numbers = JSON.stringify(data)
  useEffect(() => plot.current?.setData(latest.current), [numbers])

  return (
    <div ref={ref} style={{ minHeight: height }} role="img" aria-label={label}>
      <div ref={box} className={classes['chart']} />
    </div>
  )
}

interface Form extends Required<Pick<ChartProps, 'kind' | 'series' | 'height' | 'isTime'>> {
  readonly box: HTMLElement
  readonly width: number
}

function optionsOf({ box, width, height, kind, series, isTime }: Form): uPlot.Options {
  const style = getComputedStyle(box)
  const read = (name: string): string => style.getPropertyValue(name).trim()
  const text = style.color
  // Of the border that it does not have: a canvas takes colours only as the browser has worked them out.
  const grid = { stroke: style.borderTopColor, width: 1 }
  const axis: uPlot.Axis = { stroke: text, grid, ticks: { show: false }, font: `11px ${style.fontFamily}` }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { show: kind === 'line' } },
    scales: {
      x: { time: isTime, ...(kind === 'bars' && { range: withRoom }) },
      y: { range: (_plot, low, high) => rangeOf(kind, low, high) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 60,
        values: isTime ? weeks : seconds,
        ...(kind === 'bars' && { splits: eachBar }),
      },
      { ...axis, size: 40, space: 32 },
    ],
    series: [
      {},
      ...series.map(({ label, color }, at): uPlot.Series => {
        const stroke = read(`--mantine-color-${color}-6`)
        if (kind === 'line') {
          return { label, stroke, width: 2, fill: `${stroke}22`, points: { show: false } }
        }
        // Bars of one week stand side by side.
        const align = series.length < 2 ? 0 : at === 0 ? -1 : 1
        const paths = uPlot.paths.bars!({ size: [0.6 / series.length, 24], align, radius: 0.2 })
        return { label, stroke, fill: stroke, width: 0, paths, points: { show: false } }
      }),
    ],
  }
}

/** Half a bar's room at both ends. */
function withRoom({ data: [x] }: uPlot, low: number, high: number): [number, number] {
  const half = (high - low) / Math.max(x.length - 1, 1) / 2
  return [low - half, high + half]
}

/** A mark under each bar, or under as many as there is room for. */
function eachBar({ data: [x], width }: uPlot): number[] {
  const step = Math.ceil((x.length * 56) / width)
  return Array.from(x).filter((_, at) => at % step === 0)
}

function rangeOf(kind: 'line' | 'bars', low: number, high: number): [number, number] {
  if (kind === 'bars') {
    return [0, Math.max(high, 1) * 1.1]
  }
  const room = Math.max((high - low) * 0.15, 1)
  return [low - room, high + room]
}

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

function seconds(_plot: uPlot, splits: number[]): string[] {
  return splits.map((split) => `${split} s`)
}

function weeks(_plot: uPlot, splits: number[]): string[] {
  return splits.map((seconds) => day.format(seconds * 1_000))
}
