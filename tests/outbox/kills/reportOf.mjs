// The page reports/offline.md, and the figures that it is made of: runs are played in several sittings.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const FIGURES = 'reports/offline.json'

/** Adds figures to those that are there, and makes the page again. */
export function record(change) {
  mkdirSync('reports', { recursive: true })
  const figures = read()
  change(figures)
  writeFileSync(FIGURES, `${JSON.stringify(figures, undefined, 2)}\n`)
  writeFileSync('reports/offline.md', pageOf(figures))
}

/** Adds the counts of runs to a total: numbers are summed, at any depth. */
export function addUp(total, more) {
  for (const [name, value] of Object.entries(more)) {
    total[name] = typeof value === 'number' ? (total[name] ?? 0) + value : addUp(total[name] ?? {}, value)
  }
  return total
}

function read() {
  try {
    return JSON.parse(readFileSync(FIGURES, 'utf8'))
  } catch {
    return {}
  }
}

function pageOf({ killed, peers }) {
  return `# Killed browsers

A real Chromium is killed by its process id at a random moment while its tabs write, one to three times in a run, and starts again on the same profile. A change is **owed** when it was on the screen 300 ms before its tab ended.
${killed ? killedOf(killed) : ''}${peers ? peersOf(peers) : ''}`
}

function killedOf({ runs, faulty, owed, actions, counts, served }) {
  return `
## restitch

\`node tests/outbox/kills.mjs --runs 500 --write\` makes these figures, in one sitting or in several. A page with [persist](../docs/api/persist.md), [tabs](../docs/api/tabs.md) and the [outbox](../docs/api/outbox.md) is killed. The server loses requests and responses, fails, refuses, and
sends the page of a captive portal; other clients change the same records; tabs are closed and crash; two users take turns.

**${number(runs)} runs, ${number(counts.kills ?? 0)} kills, ${number(owed)} changes owed: ${number(faulty)} runs with faults.**

A run has a fault if a change that is owed was not made, or a change was made twice, after its user had taken it back, as another user, or out of the order of its record; if a screen differs from the server at the end; or if a
database has anything of another user. A busy machine may need longer than 300 ms to save: such changes are not owed, and counted below.

A task is on the screen twice for a moment, when a list brings it before the response to its create. In five runs a user changed one and removed the other, or removed both, which no longer counts as a
wrong order or a lost change: these runs were read by hand.

| changes | |
|---|---|
${rowsOf(actions)}

| events | |
|---|---|
${rowsOf(counts)}

| what the server has done | |
|---|---|
${rowsOf(served)}

The programme has to find faults that are planted: \`--spoil keys\` sends requests without \`Idempotency-Key\`, \`--spoil memory\` has no database, \`--spoil order\` sends the changes of a record in any order, and \`--spoil user\` has one
database for all users.
`
}

function peersOf({ subjects, seeds }) {
  const all = Object.values(subjects)
  const row = (title, show) => `| ${title} | ${all.map(show).join(' | ')} |`
  const byTabs = (show) => (subject) => [1, 2].map((tabs) => show(subject.tabs[tabs])).join(' · ')
  const of = (name) => byTabs((one) => `${number(one[name])} of ${number(one.owed)}`)
  return `
## Beside other libraries

\`node bench/offline.mjs --write\` plays the same browsers on a plainer server, from seed 1 to ${seeds}: one user, who creates and edits; requests and responses are lost, some get a 500, and the browser may be offline before it is killed. Each page is
set up as the documentation of its library teaches, with a key for each change, which the server knows. The others give records their ids; restitch and the reference take those of the server, and rewrite what was made with a temporary one. A change counts as lost if it was not made 20 seconds after everything works again; whether a busy machine
had saved it in 300 ms is not asked, of no library. Each cell has one tab · two tabs.

| | ${all.map(({ title }) => title).join(' | ')} |
|---|${all.map(() => '---|').join('')}
${row(
  'kills',
  byTabs((one) => number(one.kills)),
)}
${row('changes that are owed and lost', of('lost'))}
${row(
  'changes made twice',
  byTabs((one) => number(one.twice)),
)}
${row(
  'runs in which changes of a record were made in the wrong order',
  byTabs((one) => number(one.order)),
)}
${row(
  'runs at whose end a screen differs from the server',
  byTabs((one) => number(one.screen)),
)}
${row('a change made offline, when its user signs out and another one signs in', ({ users }) => USERS[users])}

- **TanStack Query** saves once a second, and only mutations that are paused: those in flight are gone with the page. Signing out with \`clear()\` drops what waits.
- **TanStack DB** has an outbox in one tab at a time: what the others change is sent at once, or not at all. The outbox does not know users; \`clearOutbox()\` drops what waits.
- **urql** saves a mutation when its request has failed, and the queue of one tab replaces that of the other. The queue does not know users.

These are few runs, on a busy machine: they show what is possible, and not how often. The recipes are in [bench/offline](../bench/offline), each with the page of the documentation that it follows. The reference is a queue written without a library: it shows that the programme finds no faults where there are none.
`
}

const USERS = {
  kept: 'is kept, and sent when its user is back',
  lost: 'is dropped',
  stranger: 'is sent as the other user',
}

function number(value) {
  return value.toLocaleString('en')
}

function rowsOf(table) {
  return Object.entries(table)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `| ${name} | ${number(count)} |`)
    .join('\n')
}
