// Our own store without a manager that reads the state, for comparison with one that has it.
import { create as createOurs } from './restitch.mjs'

export const rows = ['get-state']

export function create() {
  return createOurs({})
}
