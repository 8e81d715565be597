import { execFile } from 'node:child_process'
import { resolve } from 'node:path'

/** Runs the simulator in a process of its own, as one bundle: it takes over the console and the rejections of its process. */
export function simulate(...args: readonly (string | number)[]): Promise<{ code: number; output: string }> {
  const command = [resolve(import.meta.dirname, 'simulate.mjs'), ...args.map(String)]
  return new Promise((done) => {
    execFile(process.execPath, command, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` })
    })
  })
}
