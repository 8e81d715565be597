/** The page reports/offline.md. */
export function reportOf({ runs, faulty, owed, actions, counts, served }, from) {
  const rows = (table) =>
    Object.entries(table)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => `| ${name} | ${count.toLocaleString('en')} |`)
      .join('\n')
  return `# Killed browsers

\`node tests/outbox/kills.mjs --runs ${runs}${from === 1 ? '' : ` --from ${from}`} --write\` makes this page. A real Chromium with [persist](../docs/api/persist.md), [tabs](../docs/api/tabs.md) and the
[outbox](../docs/api/outbox.md) is killed by its process id at a random moment while one or two tabs write, and starts again on the same profile. The server loses requests and responses, fails, refuses, and sends the page of a
captive portal; other clients change the same records; tabs are closed and crash; two users take turns.

**${runs.toLocaleString('en')} runs, ${(counts.kills ?? 0).toLocaleString('en')} kills, ${owed.toLocaleString('en')} changes owed: ${faulty} runs with faults.**

A change is owed when it was on the screen 300 ms before its tab ended, the time in which it has to be saved. A busy machine may need longer: such changes are not owed, and counted below. A run has a fault if a change that is owed was not made, or a change was made twice, after its user had taken it back, as another user, or
out of the order of its record; if a screen differs from the server at the end; or if a database has anything of another user.

| changes | |
|---|---|
${rows(actions)}

| events | |
|---|---|
${rows(counts)}

| what the server has done | |
|---|---|
${rows(served)}

The programme has to find faults that are planted: \`--spoil keys\` sends requests without \`Idempotency-Key\`, \`--spoil memory\` has no database, \`--spoil order\` sends the changes of a record in any order, and \`--spoil user\` has one
database for all users.
`
}
