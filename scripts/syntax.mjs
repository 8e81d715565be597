// Walks the syntax tree that vite's parser returns.

/** Calls `see(node, parent, key)` for `node` and for every node below it. */
export function visit(node, see, parent, key) {
  if (Array.isArray(node)) {
    for (const item of node) {
      visit(item, see, parent, key)
    }
  } else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') {
      see(node, parent, key)
    }
    for (const name of Object.keys(node)) {
      if (typeof node[name] === 'object') {
        visit(node[name], see, node, name)
      }
    }
  }
}

/** The identifiers of a program that are called `name` and refer to or declare a variable, not a member. */
export function findVariables(program, name) {
  const found = []
  visit(program, (node, parent, key) => {
    const isMember = !parent?.computed && (key === 'property' || key === 'key')
    if (node.type === 'Identifier' && node.name === name && !isMember) {
      found.push({ node, parent, key })
    }
  })
  return found
}
