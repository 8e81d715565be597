// Runs steps in lanes side by side, says what it is doing, and ends with `N passed, N failed, N skipped`.
// A step that fails shows its output, of tests those that failed, and the others go on; a step that needs a failed one is skipped.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, relative, resolve } from 'node:path'

// Some tools colour their output whatever their options say.
// oxlint-disable-next-line no-control-regex
const ANSI = /\u001B\[[\d;]*m/g
// A terminal shows the progress line all the time, a log file only now and then.
const isTerminal = process.stdout.isTTY
const MOST_LINES = 200
const PROGRESS_INTERVAL = isTerminal ? 1_000 : 30_000

/**
 * A step is `{ name, run, needs, show, env }`: `run` is a command, or a function that finds it; `needs` is the name of an
 * earlier step; `show` prints the output also when it passes. Sets the exit code, and returns the seconds it took.
 */
export async function runLanes(...lanes) {
  const start = performance.now()
  const steps = lanes.flat()
  const total = { passed: 0, failed: 0, skipped: 0 }
  const failed = new Set()
  const running = new Map() // step -> when it started
  let done = 0
  const progress = setInterval(() => {
    const names = [...running].map(([{ name }, since]) => `${name} (${timeSince(since)})`)
    const line = `${timeSince(start)}  ${done} of ${steps.length} steps done; running: ${names.join(', ')}`
    process.stdout.write(isTerminal ? `\r\u001B[K${line.slice(0, process.stdout.columns - 1)}` : `...   ${line}\n`)
  }, PROGRESS_INTERVAL)
  const print = (text) => console.log(isTerminal ? `\r\u001B[K${text}` : text)

  mkdirSync('.cache', { recursive: true })
  await Promise.all(lanes.map(runLane))
  clearInterval(progress)
  print(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  process.exitCode = total.failed > 0 ? 1 : 0
  return (performance.now() - start) / 1000

  async function runLane(lane) {
    for (const step of lane) {
      if (failed.has(step.needs)) {
        total.skipped += 1
        failed.add(step.name)
        print(`skip  ${step.name}: "${step.needs}" failed`)
      } else {
        running.set(step, performance.now())
        report(step, await runStep(step))
        running.delete(step)
      }
      done += 1
    }
  }

  function report(step, { counts, output, isTests }) {
    for (const key of Object.keys(total)) {
      total[key] += counts[key]
    }
    const isBad = counts.failed > 0
    if (isBad) {
      failed.add(step.name)
    }
    const seconds = ((performance.now() - running.get(step)) / 1000).toFixed(1)
    const note = isTests ? `  ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped` : ''
    print(`${isBad ? 'FAIL' : 'ok  '}  ${step.name.padEnd(20)}${seconds.padStart(6)}s${note}`)
    if (isBad || step.show) {
      print(output.trim().replaceAll(ANSI, '').replace(/^/gm, '      '))
    }
  }
}

// The tests of vitest are counted one by one, any other step is one. Their whole output is left in .cache.
async function runStep({ name, run, env }) {
  const command = typeof run === 'function' ? await run() : run
  const isTests = command.startsWith('vitest run')
  if (!isTests) {
    const { code, output } = await runCommand(command, env)
    return { isTests, output, counts: { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 } }
  }
  // An absolute path: the configuration of the demo has another root.
  const file = resolve('.cache', `${name.replaceAll(/\W+/g, '-')}.json`)
  rmSync(file, { force: true })
  const { code, output } = await runCommand(
    `${command} --reporter=dot --reporter=json --outputFile.json="${file}"`,
    env,
  )
  writeFileSync(file.replace(/json$/, 'txt'), output)
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return { isTests, output: failuresOf(output, report) || lastLines(output), counts: countTests(report, code) }
}

/** The part of the output that shows the failed tests with their differences, else their names with the first lines. */
function failuresOf(output, { testResults = [] }) {
  const text = output.replaceAll(ANSI, '')
  const start = text.search(/^.*Failed (?:Suites|Tests) \d+/m)
  if (start >= 0) {
    return text.slice(start).split('\n').slice(0, MOST_LINES).join('\n')
  }
  return testResults
    .flatMap(({ name, message, assertionResults }) => {
      const failures = assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => `${fullName}\n${firstLines(failureMessages.join('\n'))}`)
      const faults = failures.length === 0 && message ? [firstLines(message)] : failures
      return faults.map((fault) => `${relative('.', name)}: ${fault}`)
    })
    .join('\n\n')
}

function lastLines(text) {
  return text.split('\n').slice(-100).join('\n')
}

function firstLines(text) {
  return text.split('\n').slice(0, 30).join('\n')
}

function runCommand(command, env) {
  const path = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`
  return new Promise((done) => {
    const child = spawn(command, {
      env: { ...process.env, NO_COLOR: '1', PATH: path, ...env },
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    child.on('error', (error) => (output += error.message))
    child.on('close', (code) => done({ code: code ?? 1, output }))
  })
}

// A file that cannot be loaded has no tests to count, so a non-zero exit is a failure of its own. No tests at all count as
// one that was skipped: there is no browser, or nothing changed.
function countTests({ numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 }, code) {
  const failed = code !== 0 && numFailedTests === 0 ? 1 : numFailedTests
  const skipped = numPendingTests + numTodoTests
  return { passed: numPassedTests, failed, skipped: numPassedTests + failed + skipped === 0 ? 1 : skipped }
}

function timeSince(start) {
  const seconds = Math.round((performance.now() - start) / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
