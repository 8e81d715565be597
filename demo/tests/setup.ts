import { buildDemo } from '../start.mjs'

/** The page as users get it, built once for all tests. */
export async function setup(): Promise<void> {
  await buildDemo()
}
