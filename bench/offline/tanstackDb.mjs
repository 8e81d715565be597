// https://github.com/TanStack/db/tree/main/packages/offline-transactions: "Quick Start", and
// https://tanstack.com/db/latest/docs/collections/query-collection.
import { createCollection } from '@tanstack/db'
import { startOfflineExecutor } from '@tanstack/offline-transactions'
import { QueryClient } from '@tanstack/query-core'
import { queryCollectionOptions } from '@tanstack/query-db-collection'
import { makePage, request } from './page.mjs'

const queryClient = new QueryClient()
queryClient.mount()
const tasks = createCollection(
  queryCollectionOptions({
    id: 'tasks',
    queryKey: ['tasks'],
    queryFn: () => request('GET', ''),
    queryClient,
    getKey: ({ id }) => id,
  }),
)
tasks.subscribeChanges(() => {})

const offline = startOfflineExecutor({
  collections: { tasks },
  mutationFns: {
    async sync({ transaction, idempotencyKey }) {
      for (const { type, modified, changes } of transaction.mutations) {
        await (type === 'insert'
          ? request('POST', '', modified, idempotencyKey)
          : request('PATCH', `/${modified.id}`, changes, idempotencyKey))
      }
      await tasks.utils.refetch()
    },
  },
})
/** The marks of changes that were begun here, and have not ended. */
const open = new Set()
function change(mark, run) {
  const transaction = offline.createOfflineTransaction({ mutationFnName: 'sync', autoCommit: false })
  open.add(mark)
  transaction.mutate(run)
  const end = () => void open.delete(mark)
  transaction.commit().then(end, end)
}

makePage({
  async load() {
    await offline.waitForInit()
    await tasks.preload()
    await tasks.utils.refetch({ throwOnError: true })
  },
  tasks: () => tasks.toArray,
  create: (task, mark) => change(mark, () => void tasks.insert({ ...task, mark })),
  edit: ({ id }, log, mark) =>
    change(mark, () => void tasks.update(id, (draft) => Object.assign(draft, { log, mark }))),
  entries: () => [...open, ...Array.from({ length: offline.getPendingCount() + offline.getRunningCount() }, () => '')],
  hurry: () => offline.getOnlineDetector().notifyOnline(),
  forget: () => queryClient.clear(),
})
