import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import type { Controller } from 'restitch'
import { useController } from 'restitch/react'

/**
 * `controller.fetch` for optimistic changes: if the request fails, the change rolls back, and a notification says
 * why.
 */
export function useSend(): Controller['fetch'] {
  const { fetch } = useController()
  return useCallback(
    ((...args: Parameters<typeof fetch>) =>
      fetch(...args).catch((error: Error & { status?: number }) => {
        // The sign-in screen is shown instead.
        if (error.status !== 401) {
          notify(error)
        }
      })) as Controller['fetch'],
    [fetch],
  )
}

export function notify(error: Error): void {
  notifications.show({ color: 'red', title: 'Change rolled back', message: error.message, withBorder: true })
}
