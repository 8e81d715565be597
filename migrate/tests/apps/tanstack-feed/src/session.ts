let token: string | undefined = 'secret'

export function getToken(): string | undefined {
  return token
}

export function signOut(): void {
  token = undefined
}
