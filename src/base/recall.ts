/** The result of `make` for a key, computed on first use. */
export function recall<K, V>(
  made: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: (key: K) => V,
): V {
  let value = made.get(key)
  if (value === undefined) {
    made.set(key, (value = make(key)))
  }
  return value
}
