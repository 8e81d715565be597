// How both tables write their numbers.

/** The noise: a goal counts as missed beyond it. */
export const NOISE = 1.3

export function table([head, ...body]) {
  const widths = head.map((_, i) => Math.max(...[head, ...body].map((line) => String(line[i]).length)))
  const write = (line) => console.log(`| ${line.map((cell, i) => String(cell).padEnd(widths[i])).join(' | ')} |`)
  write(head)
  write(widths.map((width) => '-'.repeat(width)))
  body.forEach(write)
}

export function times(ratio) {
  return `${digits(ratio)}x`
}

export function digits(number) {
  return number >= 99.5 ? Math.round(number).toLocaleString('en') : number.toPrecision(2)
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}
