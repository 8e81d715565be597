// Finds the Chromium that browser tests run in, and installs it where that takes no more than one command.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Flags that work as root, in a container and without a network. */
export const LAUNCH_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The path of a Chromium, or `undefined` where there is none: then browser tests are skipped.
 * On CI a missing browser is a failure, so that a skipped test does not look like a passed one.
 */
export async function findChromium() {
  const path = await lookForChromium()
  if (path || process.env.CI !== 'true') {
    return path
  }
  throw new Error(`No Chromium was found. ${REMEDY}`)
}

/** Installs Chromium when none is found and apt-get can do it. Gives its path, like `findChromium`. */
export async function installChromium() {
  if (!(await lookForChromium())) {
    if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
      console.log('setup: installing chromium with apt-get')
      try {
        const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
        apt(['update'], env)
        apt(['install', '-y', '--no-install-recommends', 'chromium'], env)
      } catch (error) {
        console.log(`setup: ${error.message}`)
      }
    }
    if (!(await lookForChromium())) {
      console.log(`setup: no Chromium, browser tests will be skipped. ${REMEDY}`)
    }
  }
  return findChromium()
}

const REMEDY = 'Set CHROMIUM_PATH, or run `npx playwright install chromium`.'

async function lookForChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!existsSync(named)) {
      throw new Error(`CHROMIUM_PATH names a file that does not exist: ${named}`)
    }
    return named
  }
  if (existsSync('/usr/bin/chromium')) {
    return '/usr/bin/chromium'
  }
  const { chromium } = await import('playwright')
  const bundled = chromium.executablePath()
  return bundled && existsSync(bundled) ? bundled : undefined
}

function apt(args, env) {
  execFileSync('apt-get', ['-q', ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
}
