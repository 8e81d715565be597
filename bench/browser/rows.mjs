// The rows of the table in a browser: how many readers there are, what is done to them, and what that may cost.

// `runs` of the job make one round. `shared`: all readers have the same arguments, as a header in each row of a table has. `renders` is how often components may render in one run. `work` is what page.mjs does.
// Goals: `times` the hand-written subscription.
export const ROWS = [
  {
    ...{ name: 'browser-mount', title: 'mount 10,000 readers of one record each', work: 'mount' },
    ...{ size: 10_000, runs: 1, renders: 10_000 },
  },
  {
    ...{ name: 'browser-one', title: 'one write, 10,000 readers of one record each', work: 'write' },
    ...{ size: 10_000, runs: 10, renders: 1, goal: 1.2 },
  },
  {
    ...{ name: 'browser-shared-mount', title: 'mount 10,000 readers of the same record', work: 'mount', shared: true },
    ...{ size: 10_000, runs: 1, renders: 10_000 },
  },
  {
    ...{ name: 'browser-shared', title: 'one write, 10,000 readers of the same record', work: 'shared', shared: true },
    ...{ size: 10_000, runs: 3, renders: 10_000, goal: 1.5 },
  },
  {
    ...{
      name: 'browser-shared-leave',
      title: 'unmount 10,000 readers of the same record',
      work: 'leave',
      shared: true,
    },
    ...{ size: 10_000, runs: 1, renders: 0, goal: 3 },
  },
  {
    ...{ name: 'browser-author', title: 'change the author of all 10,000 records', work: 'author' },
    ...{ size: 10_000, runs: 1, renders: 10_000 },
  },
  {
    ...{ name: 'browser-storm', title: '300 writes, each on the screen before the next; 1,000 readers', work: 'storm' },
    ...{ size: 1000, writes: 300, runs: 1, renders: 300, goal: 1.2 },
  },
  {
    ...{ name: 'browser-burst', title: '1,000 writes in one task, each to another of 1,000 readers', work: 'burst' },
    ...{ size: 1000, runs: 3, renders: 1000, goal: 2 },
  },
  {
    ...{ name: 'browser-list', title: 'a list of 10,000, one changed row', work: 'write', list: true },
    ...{ size: 10_000, runs: 5, renders: 2 },
  },
  { name: 'browser-mounted', title: 'heap of one mounted reader', work: 'mounted', size: 10_000, bytes: true },
  { name: 'browser-heap', title: 'heap left by 20 times mount and unmount', work: 'heap', size: 2000, bytes: true },
]
