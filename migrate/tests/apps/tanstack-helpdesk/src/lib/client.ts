import axios from 'axios'
import { session } from './session'

export const api = axios.create({ baseURL: 'https://api.test' })

api.interceptors.request.use((config) => {
  const token = session.getToken()
  if (token) {
    config.headers.Authorization = `Bearer ${token}`
  }
  return config
})

export function messageOf(error: unknown): string {
  if (axios.isAxiosError<{ message?: string }>(error)) {
    return error.response?.data.message ?? error.message
  }
  return error instanceof Error ? error.message : 'Something went wrong'
}
