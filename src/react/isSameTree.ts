import { isObject } from '../base/equal.ts'

/**
 * True where two renders gave a component the same props. Functions count as the same, since most are created in each render; so do objects with
 * equal members.
 */
export function isSameTree(a: any, b: any): boolean {
  if (Object.is(a, b) || (typeof a === 'function' && typeof b === 'function')) {
    return true
  }
  if (!isObject(a) || !isObject(b)) {
    return false
  }
  // Only these members of an element matter; others lead to the whole tree.
  if ('$$typeof' in a) {
    const [one, other]: any[] = [a, b]
    return one.type === other.type && one.key === other.key && isSameTree(one.props, other.props)
  }
  const isPlain = Array.isArray(a) || Object.getPrototypeOf(a) === Object.prototype
  const keys = Object.keys(a)
  return (
    isPlain &&
    Object.getPrototypeOf(a) === Object.getPrototypeOf(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => isSameTree((a as any)[key], (b as any)[key]))
  )
}
