import axios from 'axios'
import { getToken } from './session'

export const client = axios.create({ baseURL: 'https://api.test/v1' })

client.interceptors.request.use((config) => {
  const token = getToken()
  if (token) {
    config.headers.Authorization = `Bearer ${token}`
  }
  return config
})
