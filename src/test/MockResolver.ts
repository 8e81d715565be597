'use client'
import { createElement, type ReactElement, type ReactNode, useMemo, useState } from 'react'
import { createMocks, type MockProps } from '../mock/mocks.ts'
import { withMocks } from '../mock/withMocks.ts'
import { ControllerContext } from '../react/ControllerContext.ts'
import { useController } from '../react/hooks/useController.ts'
import { followServer } from '../binding/onServer.ts'

/** Props of a MockResolver. New fixtures apply from the next fetch on; the data of interceptors stays. */
export interface MockResolverProps<T = any> extends MockProps<T> {
  readonly children?: ReactNode
}

/**
 * Mocks the fetches of its children, in stories and tests. Render it inside a provider; it does not fill the store on its own.
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
    followServer(mocked, controller)
    return mocked
  }, [controller, mocks])
  return createElement(ControllerContext.Provider, { value }, children)
}
