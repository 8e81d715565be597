/** The lines that differ, as `diff -u` prints them. */
export function diff(file: string, before: string, after: string): string {
  const [a, b] = [before === '' ? [] : before.split('\n'), after.split('\n')]
  const rows: Uint32Array[] = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      rows[i]![j] = a[i] === b[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!)
    }
  }
  const lines: { mark: ' ' | '-' | '+'; text: string; a: number; b: number }[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ mark: ' ', text: a[i]!, a: i++, b: j++ })
    } else if (i < a.length && (j >= b.length || rows[i + 1]![j]! >= rows[i]![j + 1]!)) {
      lines.push({ mark: '-', text: a[i]!, a: i++, b: j })
    } else {
      lines.push({ mark: '+', text: b[j]!, a: i, b: j++ })
    }
  }
  const shown = lines.map(
    (line, at) => line.mark !== ' ' || lines.slice(Math.max(0, at - 3), at + 4).some(({ mark }) => mark !== ' '),
  )
  const parts = [`--- ${before === '' ? '/dev/null' : file}`, `+++ ${file}`]
  lines.forEach((line, at) => {
    if (!shown[at]) {
      return
    }
    if (!shown[at - 1]) {
      const end = shown.indexOf(false, at)
      const hunk = lines.slice(at, end < 0 ? undefined : end)
      const count = (mark: string): number => hunk.filter((one) => one.mark !== mark).length
      parts.push(`@@ -${line.a + 1},${count('+')} +${line.b + 1},${count('-')} @@`)
    }
    parts.push(line.mark + line.text)
  })
  return parts.join('\n')
}
