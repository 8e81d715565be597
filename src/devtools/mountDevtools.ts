import type { Controller, ExplainArgs } from '../controller/Controller.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { naming, recording } from '../explain/observers.ts'
import { observeStore } from '../explain/pageConsole.ts'
import type { Queryable } from '../schema/Denormalize.ts'
import { createPanel, type Panel } from './panel.ts'

/** The options of the devtools. */
export interface DevtoolsOptions {
  /** The controller of a store. In development all stores of the page are found without it. */
  readonly controller?: Controller | undefined
  /** The corner of the button; bottom right by default. */
  readonly position?: `${'bottom' | 'top'}-${'right' | 'left'}` | undefined
  /** Opens the panel at the first visit. */
  readonly isOpen?: boolean | undefined
}

/** All mounts share one panel. */
const mounts = new Set<DevtoolsOptions>()
let panel: Panel | undefined

/**
 * Puts the devtools on the page, in any build. Returns the function that removes it.
 *
 * @example
 * const unmount = mountDevtools({ controller })
 * @see docs/api/mountDevtools.md
 */
export function mountDevtools(options: DevtoolsOptions = {}): () => void {
  const own = { ...options }
  recording.isOn = true
  if (own.controller) {
    observeStore(own.controller)
  }
  mounts.add(own)
  void show(own)
  return () => {
    mounts.delete(own)
    if (mounts.size === 0) {
      recording.isOn = naming.isOn
      panel?.remove()
      panel = undefined
    }
  }
}

/**
 * Opens the panel of devtools that are on the page, from a shortcut or a button of the app. With an endpoint, or a record or list and its
 * arguments, it shows what is stored for it.
 *
 * @example
 * openDevtools(Todo, { id: 5 })
 * @see docs/api/mountDevtools.md#opendevtools
 */
export function openDevtools(): void
export function openDevtools<T extends EndpointInterface | Queryable>(target: T, ...args: ExplainArgs<T>): void
export function openDevtools(target?: object, ...args: readonly any[]): void {
  panel?.open(target, args)
}

// Imported statically: bundlers keep the chunk of a dynamic import, and all it needs, although production builds never call this.
async function show(options: DevtoolsOptions): Promise<void> {
  // A mount that ends at once, as in React's Strict Mode, shows nothing.
  await Promise.resolve()
  if (mounts.size > 0) {
    panel ??= createPanel(options)
  }
}
