'use client'
import { useInsertionEffect, useState, useSyncExternalStore } from 'react'
import { createMutation, type Mutation, type MutationOptions } from '../../binding/createMutation.ts'
import type { EndpointInterface } from '../../endpoint/EndpointOptions.ts'
import { createTracker } from '../../binding/createTracker.ts'
import { useController } from './useController.ts'

/**
 * Sends a mutation from a component, with its state: pending, failed, or done.
 *
 * @example
 * const { mutate, loading, error } = useMutation(updateUser)
 * const save = () => mutate({ id: 5 }, { name: 'Ann' })
 * @see docs/api/useMutation.md
 */
export function useMutation<E extends EndpointInterface>(endpoint: E, options: MutationOptions<E> = {}): Mutation<E> {
  const controller = useController()
  const [{ latest, subscribe, get }] = useState(() =>
    createMutation<E, Mutation<E>>({ controller, endpoint, options }, createTracker<any, any, undefined>),
  )
  // Not during render: a render that React discards must not decide what the next call sends.
  useInsertionEffect(() => void Object.assign(latest, { controller, endpoint, options }))
  return useSyncExternalStore(subscribe, get, get)
}
