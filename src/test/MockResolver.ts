'use client'
import { createElement, type ReactElement, type ReactNode, useMemo, useState } from 'react'
import { createMocks, type MockProps } from '../mock/mocks.ts'
import { withMocks } from '../mock/withMocks.ts'
import { ControllerContext } from '../react/ControllerContext.ts'
import { useController } from '../react/hooks/useController.ts'
import { pictures } from '../react/reader.ts'

/** What a MockResolver is given. New fixtures count from the next fetch on; the data of interceptors stays. */
export interface MockResolverProps<T = any> extends MockProps<T> {
  readonly children?: ReactNode
}

/**
 * Answers what its children fetch, in stories and tests. It stands under a provider, and fills no store by itself.
 *
 * @example
 * <DataProvider><MockResolver fixtures={fixtures}><UserPage /></MockResolver></DataProvider>
 * @see docs/api/MockResolver.md
 */
export function MockResolver<T = any>({ children, ...props }: MockResolverProps<T>): ReactElement {
  const controller = useController()
  const [mocks] = useState(() => createMocks(props))
  useMemo(() => mocks.use(props), [mocks, props.fixtures, props.silenceMissing])
  const value = useMemo(() => {
    const mocked = withMocks(controller, mocks)
    const picture = pictures.get(controller)
    if (picture) {
      pictures.set(mocked, picture)
    }
    return mocked
  }, [controller, mocks])
  return createElement(ControllerContext.Provider, { value }, children)
}
