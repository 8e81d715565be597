import { useEffect } from 'react'
import { mountDevtools } from 'restitch/devtools'
import { useController } from 'restitch/react'

/** The panel of the library. Its button stands below the navigation, where it covers nothing. Apps use `<RestitchDevtools />`, which is empty in production builds; this page is one, and shows it all the same. */
export function Devtools(): null {
  const controller = useController()
  useEffect(() => mountDevtools({ controller, position: 'bottom-left' }), [controller])
  return null
}
