import { execFile } from 'node:child_process'
import { resolve } from 'node:path'

/** Runs the simulator in a separate process, because it replaces the console and handles all rejections. */
export function simulate(...args: readonly (string | number)[]): Promise<{ code: number; output: string }> {
  const command = [resolve(import.meta.dirname, 'simulate.mjs'), ...args.map(String)]
  return new Promise((done) => {
    execFile(process.execPath, command, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` })
    })
  })
}
