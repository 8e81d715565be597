import { useState } from 'react'
import { useSignIn } from '../api/session'
import { messageOf } from '../lib/client'

export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useSignIn({ onSuccess: onSignedIn })
  return (
    <form
      aria-label="Sign in"
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ email, password })
      }}
    >
      <input aria-label="Email" value={email} onChange={(event) => setEmail(event.target.value)} />
      <input
        aria-label="Password"
        type="password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <button disabled={isPending}>{isPending ? 'Signing in…' : 'Sign in'}</button>
      {error && <p role="alert">{messageOf(error)}</p>}
    </form>
  )
}
