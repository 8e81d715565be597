const BASES = new Set(['Entity', 'GQLEntity'])

/** Whether a class of the library is one that apps extend to declare a kind of record. */
export function isBaseOfEntities(name: string | undefined): boolean {
  return name !== undefined && BASES.has(name)
}
