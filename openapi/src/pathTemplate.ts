import type { Operation } from './readOperations.ts'

/** The path of an operation as a template of the library: `/pets/{petId}` is `/pets/:petId`. */
export function pathTemplate(operation: Operation, name: (param: string) => string): string {
  const { path } = operation
  let template = ''
  let end = 0
  for (const match of path.matchAll(/\{([^{}]+)\}/g)) {
    template += escape(path.slice(end, match.index))
    end = match.index + match[0].length
    const own = name(match[1]!)
    const isWord = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(own)
    const isGlued = /^[\p{L}\p{N}_$]/u.test(path.slice(end))
    // A wildcard has to come last.
    const sign = end === path.length && isMultiSegment(operation, match[1]!) ? '*' : ':'
    template += sign + (isWord && !isGlued ? own : `"${own}"`)
  }
  return template + escape(path.slice(end))
}

function isMultiSegment({ pathParams }: Operation, name: string): boolean {
  const param = pathParams.find((candidate) => candidate.name === name) as { 'x-multi-segment'?: boolean } | undefined
  return param?.['x-multi-segment'] === true
}

/** Characters that mean something in a template. */
function escape(text: string): string {
  return text.replaceAll(/[:*(){}[\]+!\\"]/g, '\\$&')
}
