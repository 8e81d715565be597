/** `todo-items` becomes TodoItems. */
export function pascal(text: string): string {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')
}

export function camel(text: string): string {
  const name = pascal(text)
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

const IRREGULAR: { readonly [plural: string]: string } = {
  people: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  news: 'news',
  series: 'series',
  status: 'status',
}

export function singular(word: string): string {
  const lower = word.toLowerCase()
  if (IRREGULAR[lower]) {
    return IRREGULAR[lower]
  }
  if (lower.endsWith('ies') && lower.length > 4) {
    return `${word.slice(0, -3)}y`
  }
  if (/(?:sses|shes|ches|xes|zes)$/.test(lower)) {
    return word.slice(0, -2)
  }
  return /[^s]s$/.test(lower) ? word.slice(0, -1) : word
}

export function plural(word: string): string {
  const irregular = Object.entries(IRREGULAR).find(([, one]) => one === word.toLowerCase())
  if (irregular) {
    return word[0] === word[0]!.toUpperCase() ? pascal(irregular[0]) : irregular[0]
  }
  if (/[^aeiou]y$/.test(word)) {
    return `${word.slice(0, -1)}ies`
  }
  if (/(?:s|sh|ch|x|z)$/.test(word)) {
    return `${word}es`
  }
  return `${word}s`
}
