// `jest` as the tests use it, with its snapshots and both kinds of fake timers.
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { format, plugins } from '@vitest/pretty-format'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import * as vue from 'vue'

/** The timers that jest calls legacy leave the date and promises alone. */
const LEGACY = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate']

const actual = { vue }
const jest = {
  ...vi,
  fn: vi.fn,
  spyOn: vi.spyOn,
  requireActual: (name) => actual[name],
  useFakeTimers({ legacyFakeTimers } = {}) {
    vi.useFakeTimers(legacyFakeTimers ? { toFake: LEGACY } : {})
    return jest
  },
  setTimeout: (testTimeout) => vi.setConfig({ testTimeout }),
}
/** `resolves` also takes a function, as in jest. */
const expectAsJest = new Proxy(expect, {
  apply(target, self, [value, ...rest]) {
    const assertion = target(value, ...rest)
    const calling = () => target(value(), ...rest).resolves
    return typeof value !== 'function'
      ? assertion
      : new Proxy(assertion, { get: (of, name) => (name === 'resolves' ? calling() : Reflect.get(of, name)) })
  },
})
Object.assign(globalThis, { jest, vi, expect: expectAsJest })
if (typeof document !== 'undefined') {
  globalThis.requestIdleCallback = vi.fn((run) => run())
}
let counts = new Map()
beforeEach(() => {
  counts = new Map()
  // Each test is a page of its own, so what is said once for a page is said again.
  globalThis.peerForget?.()
})
afterEach(() => {
  if (globalThis.peerInside) {
    globalThis.peerInside = false
    throw new Error('peer: inside')
  }
})

const known = new Map()
function readSnapshots(testPath) {
  const path = join(dirname(testPath), '__snapshots__', `${basename(testPath)}.snap`)
  const found = known.get(path) ?? {}
  if (!known.has(path)) {
    known.set(path, found)
    if (existsSync(path)) {
      runInNewContext(readFileSync(path, 'utf8'), { exports: found })
    }
  }
  return found
}

expect.extend({
  toMatchSnapshot(received, hint) {
    // The members of an action are an inner matter.
    if (String(received?.type).startsWith('rdc/')) {
      throw new Error('peer: inside')
    }
    const label = `${this.currentTestName.replaceAll(' > ', ' ')}${typeof hint === 'string' ? `: ${hint}` : ''}`
    const count = (counts.get(label) ?? 0) + 1
    counts.set(label, count)
    return compare(received, readSnapshots(this.testPath)[`${label} ${count}`])
  },
  toMatchInlineSnapshot: (received, expected) => compare(received, expected),
  toThrow: throws,
  toThrowErrorMatchingSnapshot: throws,
  toThrowErrorMatchingInlineSnapshot: throws,
})

function compare(received, expected) {
  const actually = print(received)
  return {
    pass: expected === undefined || isMessage(received) || clean(expected) === clean(actually),
    message: () => `snapshot differs, expected:\n${clean(expected)}\nreceived:\n${clean(actually)}`,
  }
}

/** Texts of messages are our own, so only whether there is one is compared. */
const isMessage = (value) =>
  value instanceof Error ||
  (Array.isArray(value) &&
    value.length > 0 &&
    value.flat().every((one) => typeof one === 'string' || one instanceof Error))

function throws(received, expected) {
  // After `rejects` it is the error; after `resolves` it is a value.
  let thrown = this.promise === 'rejects' ? { error: received } : undefined
  try {
    if (typeof received === 'function') {
      received()
    }
  } catch (error) {
    thrown = { error }
  }
  const isKind = typeof expected !== 'function' || thrown?.error instanceof expected
  return { pass: thrown !== undefined && isKind, message: () => 'nothing was thrown, or another kind of error' }
}

const print = (value) =>
  format(value, {
    plugins: Object.values(plugins),
    printBasicPrototype: false,
    printFunctionName: false,
    escapeString: true,
  })

/** The indentation of the file is no difference. */
const clean = (text) =>
  text
    .replace(/^\s*"|"\s*$/g, '')
    .replaceAll('\\"', '"')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
