// Our own store without a manager that asks for the state: what such a one is measured against.
import { create as createOurs } from './restitch.mjs'

export const rows = ['get-state']

export function create() {
  return createOurs({})
}
