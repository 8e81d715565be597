import type { Controller } from '../controller/Controller.ts'

/**
 * Resolves with the outcomes of all requests once nothing is being fetched any more, for the test tools of a binding.
 *
 * @param render resolves when the framework has rendered
 */
export async function settleRequests(
  { core }: Controller,
  render: () => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>[]> {
  await render()
  const { open } = core.requests
  const outcomes: PromiseSettledResult<unknown>[] = []
  while (open.size > 0) {
    outcomes.push(...(await Promise.allSettled([...open.values()].map(({ action }) => action.meta.promise))))
    await render()
  }
  return outcomes
}
