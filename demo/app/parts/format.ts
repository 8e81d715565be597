const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

const number = new Intl.NumberFormat('en')

/** `5,000`. */
export function formatNumber(value: number): string {
  return number.format(value)
}

/** `3 days ago`. */
export function formatAgo(time: Date): string {
  const seconds = (time.getTime() - Date.now()) / 1000
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60]
  return Math.abs(seconds) < 60 ? 'just now' : relative.format(Math.round(seconds / length), unit)
}

/** `Mar 4, 2030`. */
export function formatDay(date: string | Date): string {
  return day.format(new Date(date))
}

/** `3.1 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) {
    return `${bytes} B`
  }
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
