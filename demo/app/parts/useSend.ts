import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import type { Controller } from 'restitch'
import { useController } from 'restitch/react'

/**
 * `controller.fetch` for changes that are on the screen already: when the server refuses, the screen is as it was, and
 * this says why.
 */
export function useSend(): Controller['fetch'] {
  const { fetch } = useController()
  return useCallback(
    ((...args: Parameters<typeof fetch>) =>
      fetch(...args).catch((error: Error & { status?: number }) => {
        // At the sign-in nobody needs to hear what else was refused.
        if (error.status !== 401) {
          notify(error)
        }
      })) as Controller['fetch'],
    [fetch],
  )
}

export function notify(error: Error): void {
  notifications.show({ color: 'red', title: 'This was taken back', message: error.message, withBorder: true })
}
