'use client'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { keyOf } from '../../binding/args.ts'
import { createPages, IDLE_PAGES, type PagesState, showPages } from '../../binding/createPages.ts'
import type { EndpointInterface } from '../../endpoint/EndpointOptions.ts'
import { useController } from './useController.ts'

/** The pages around the list that an endpoint names. */
export function usePages(endpoint: EndpointInterface, args: readonly any[]): ReturnType<typeof showPages> {
  const controller = useController()
  const [state, setState] = useState<PagesState>(IDLE_PAGES)
  const key = keyOf(endpoint, args)
  const pages = useMemo(() => createPages(controller, endpoint, args, setState), [controller, endpoint, key])
  const directions = useSyncExternalStore(pages.subscribe, pages.available, pages.available)
  return showPages(pages, directions, state.key === key ? state : IDLE_PAGES)
}
