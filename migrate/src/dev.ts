import { run } from './run.ts'
process.exitCode = run(process.argv.slice(2), { print: (x) => console.log(x), warn: (x) => console.error(x) })
