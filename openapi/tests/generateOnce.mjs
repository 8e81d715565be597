// Generates code once, in a process of its own, and prints what it took.
import { readDescription, generate } from '../dist/index.js'
import { writeFiles } from '../dist/output.js'

const [source, folder, config] = process.argv.slice(2)
const start = performance.now()
const description = await readDescription(source, { lenient: true })
const { files, counts } = generate(description, JSON.parse(config))
writeFiles(folder, files)
const seconds = (performance.now() - start) / 1000
// Of the processor: a busy machine does not count.
const { user, system } = process.cpuUsage()
const lines = [...files.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0)
const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
console.log(JSON.stringify({ counts, seconds, processor: (user + system) / 1e6, megabytes, files: files.size, lines }))
