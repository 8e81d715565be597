import { createServer } from 'node:http'

/** No field stands in the order of another. */
const titles = ['mango', 'apple', 'cherry', 'fig', 'banana', 'kiwi', 'lemon', 'grape', 'date', 'plum', 'pear', 'lime']
export const posts = titles.map((title, i) => ({
  id: i + 1,
  title,
  author: i % 3 === 1 ? 'bob' : 'ann',
  views: (i * 7) % 12,
}))

/** Serves on a free port of this machine, and says which. `prepare` receives the address. It ends with the process that started it. */
export function listen(app, prepare) {
  process.stdin.resume().on('end', () => process.exit())
  const server = createServer((request, response) => void (app.attach ?? app)(request, response))
  server.listen(0, '127.0.0.1', () => void start(`http://127.0.0.1:${server.address().port}`))
  async function start(origin) {
    await prepare?.(origin)
    process.stdout.write(`${origin}\n`)
  }
}
