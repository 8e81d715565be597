import { spawn } from 'node:child_process'

type Surroundings = Pick<NodeJS.Process, 'platform' | 'env'> & { readonly stdout: { readonly isTTY?: boolean } }

/** Opens an address in the browser of a person at this machine. Elsewhere, as on a server or in CI, it does nothing. */
export function openBrowser(address: string): void {
  const [program, ...args] = findOpener(process)
  if (program === undefined) {
    return
  }
  // The address is printed in any case.
  spawn(program, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

/** The command that opens an address, or nothing. */
export function findOpener({ platform, env, stdout }: Surroundings): string[] {
  if (env['CI'] || !stdout.isTTY || env['SSH_CONNECTION']) {
    return []
  }
  if (platform === 'darwin') {
    return ['open']
  }
  if (platform === 'win32') {
    return ['cmd', '/c', 'start', '']
  }
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : []
}
