import { useController, useDLE, useLoading, useMutation } from 'restitch/react'
import { session } from '../lib/session'
import { getMe, signIn, updateMe } from '../resources'

interface Credentials {
  email: string
  password: string
}

export const useMe = () => useDLE(getMe)

export function useSignIn({ onSuccess }: { onSuccess: () => void }) {
  const controller = useController()
  const [mutate, isPending, error] = useLoading(async (credentials: Credentials) => {
    // Called directly, so that the token is not in the store.
    const { token, agent } = await signIn(credentials)
    session.setToken(token)
    await controller.resetEntireStore()
    controller.setResponse(getMe, agent)
    onSuccess()
  })
  return { mutate, isPending, error }
}

export function useSignOut({ onSuccess }: { onSuccess: () => void }) {
  const controller = useController()
  return () => {
    session.setToken(null)
    void controller.resetEntireStore()
    onSuccess()
  }
}

export const useUpdateMe = () => useMutation(updateMe)
