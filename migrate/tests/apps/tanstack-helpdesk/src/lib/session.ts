let token: string | null = null

export const session = {
  getToken: () => token,
  setToken: (value: string | null) => {
    token = value
  },
}
