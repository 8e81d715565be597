// Reads a response of an API, and writes the code that declares it: an entity for each kind of object that has an id, and a resource for its path.

const KEYS = ['id', '_id', 'uuid']
const RESERVED = new Set([
  'Entity',
  'Object',
  'Array',
  'Date',
  'Map',
  'Set',
  'Error',
  'Symbol',
  'Promise',
  'Collection',
])

/**
 * `code` declares the response of `GET path`. `resource` is the name of the resource in it, and `isList` says whether the response is that of its list.
 * Throws an error with a message for the reader.
 */
export function inferResponse(response, path) {
  const base = path.trim().replace(/\?.*$/, '').replace(/\/+$/, '').replaceAll(/['\\]/g, encodeURIComponent)
  const segments = base.split('/').filter(Boolean)
  const lastName = segments.findLast((segment) => /^[a-z][\w-]*$/i.test(segment) && !/\d/.test(segment))
  if (!lastName) {
    throw new Error('The path has no name in it. Write something like /api/projects.')
  }
  const entities = new Map()
  const root = findRoot(response)
  if (!root) {
    throw new Error(
      'There is no object with an "id" in this response. An endpoint without a schema caches it as it is.',
    )
  }
  const name = toClassName(lastName)
  root.records.forEach((record) => addEntity(entities, name, record))
  const { isList, envelope } = root
  const folder = segments.slice(0, segments.lastIndexOf(lastName) + 1).join('/')
  const prefix = /^https?:$/.test(segments[0] ?? '') ? `${segments[0]}//${segments[1]}` : ''
  const resourcePath = prefix ? `/${folder.split('/').slice(2).join('/')}` : `/${folder}`
  const key = entities.get(name).key
  return {
    code: writeCode(entities, {
      name,
      prefix,
      path: `${resourcePath}/:${key}`,
      envelope: isList ? envelope : undefined,
    }),
    resource: toPlural(name),
    isList,
    args: isList ? [] : [{ [key]: root.records[0][key] }],
  }
}

/** The records of a response: it is one, a list of them, or an envelope around either. */
function findRoot(response) {
  if (Array.isArray(response)) {
    const records = response.filter(isRecord)
    return records.length > 0 ? { records, isList: true } : undefined
  }
  if (isRecord(response)) {
    return { records: [response], isList: false }
  }
  for (const [member, value] of Object.entries(Object(response))) {
    if (Array.isArray(value) && value.some(isRecord)) {
      return {
        records: value.filter(isRecord),
        isList: true,
        envelope: { member, rest: { ...response, [member]: undefined } },
      }
    }
  }
  return undefined
}

function isRecord(value) {
  return keyOf(value) !== undefined
}

function keyOf(value) {
  return value && typeof value === 'object' && !Array.isArray(value)
    ? KEYS.find((key) => ['string', 'number'].includes(typeof value[key]))
    : undefined
}

/** Adds the fields of a record to its entity, and the entities inside it. */
function addEntity(entities, name, record) {
  const entity = entities.get(name) ?? { key: keyOf(record), fields: new Map() }
  entities.set(name, entity)
  for (const [field, value] of Object.entries(record)) {
    const found = describeField(entities, field, value)
    const known = entity.fields.get(field)
    // A field that is null in one record may have a value in another.
    if (!known || known.isEmpty) {
      entity.fields.set(field, found)
    } else if (found.type !== known.type && !found.isEmpty) {
      entity.fields.set(field, { type: 'unknown', value: 'undefined as unknown' })
    }
  }
}

function describeField(entities, field, value) {
  if (isRecord(value)) {
    const name = toClassName(field)
    addEntity(entities, name, value)
    return { type: name, relation: name, value: `${name}.fromJS()` }
  }
  if (Array.isArray(value)) {
    const records = value.filter(isRecord)
    if (records.length > 0) {
      const name = toClassName(field)
      records.forEach((record) => addEntity(entities, name, record))
      return { type: `${name}[]`, relation: `[${name}]`, value: `[] as ${name}[]` }
    }
    const types = new Set(value.map((item) => (item !== null && typeof item === 'object' ? 'unknown' : typeof item)))
    const [type = 'unknown'] = types.size === 1 ? types : []
    return { type: `${type}[]`, isEmpty: value.length === 0, value: `[] as ${type}[]` }
  }
  if (value === null || value === undefined) {
    return { type: 'null', isEmpty: true, value: 'null as unknown' }
  }
  const values = { string: `''`, number: '0', boolean: 'false', object: '{} as Record<string, unknown>' }
  return { type: typeof value, value: values[typeof value] }
}

function writeCode(entities, { name, prefix, path, envelope }) {
  // Entities that another one names come first.
  const classes = [...entities].reverse().map(([className, { key, fields }]) => writeClass(className, key, fields))
  const resourceName = toPlural(name)
  const options = [...(prefix ? [`urlPrefix: '${prefix}'`] : []), `path: '${path}'`, `schema: ${name}`].join(', ')
  const imports = envelope ? 'Collection, Entity, resource' : 'Entity, resource'
  const resource = envelope
    ? `export const ${resourceName} = resource({ ${options} }).extend({\n  getList: { schema: { ${writeEnvelope(name, envelope)} } },\n})`
    : `export const ${resourceName} = resource({ ${options} })`
  return `import { ${imports} } from 'restitch'\n\n${classes.join('\n')}\n${resource}\n`
}

function writeEnvelope(name, { member, rest }) {
  const total = Object.keys(rest).find(
    (key) => /^(?:total|count|total_?count)$/i.test(key) && typeof rest[key] === 'number',
  )
  const list = total ? `new Collection([${name}], { counts: ['${total}'] })` : `new Collection([${name}])`
  return [`${quote(member)}: ${list}`, ...(total ? [`${quote(total)}: 0`] : [])].join(', ')
}

function writeClass(name, key, fields) {
  const lines = [...fields].map(([field, { value }]) => `  ${quote(field)} = ${value}`)
  const relations = [...fields].filter(([, { relation }]) => relation)
  const schema = relations.map(([field, { relation }]) => `${quote(field)}: ${relation}`).join(', ')
  return [
    `export class ${name} extends Entity {`,
    ...lines,
    `  static override key = '${name}'`,
    ...(schema ? [`  static override schema = { ${schema} }`] : []),
    ...(key === 'id' ? [] : [`  override pk() {\n    return \`\${this.${key}}\`\n  }`]),
    '}\n',
  ].join('\n')
}

function quote(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

/** `line-items` and `lineItems` become `LineItem`. */
function toClassName(text) {
  const words = text.match(/[A-Za-z][a-z\d]*|[A-Z]+(?![a-z])/g) ?? ['record']
  const last = words.pop()
  const name = [...words, toSingular(last)].map((word) => word[0].toUpperCase() + word.slice(1)).join('')
  return RESERVED.has(name) ? `${name}Record` : name
}

function toSingular(word) {
  if (/ies$/i.test(word)) {
    return `${word.slice(0, -3)}y`
  }
  return /(?:ss|us|is)$/i.test(word) ? word : word.replace(/(?<=s|x|z|ch|sh)es$|s$/i, '')
}

function toPlural(name) {
  if (/[^aeiou]y$/.test(name)) {
    return `${name.slice(0, -1)}ies`
  }
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}
