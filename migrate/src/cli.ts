#!/usr/bin/env node
import { run } from './run.ts'

process.exitCode = run(process.argv.slice(2), {
  print: (text) => process.stdout.write(`${text}\n`),
  warn: (text) => process.stderr.write(`${text}\n`),
})
