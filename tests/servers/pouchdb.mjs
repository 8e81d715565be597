// CouchDB's protocol: keys in `_id`, a revision in each write, rows around the documents.
import { createRequire } from 'node:module'
import { listen, posts } from './seed.mjs'

const require = createRequire(import.meta.url)
const PouchDB = require('pouchdb-core').plugin(require('pouchdb-adapter-memory')).plugin(require('pouchdb-mapreduce'))
const Memory = PouchDB.defaults({ adapter: 'memory' })
listen(require('express-pouchdb')(Memory, { mode: 'minimumForPouchDB' }), async (origin) => {
  await fetch(`${origin}/posts`, { method: 'PUT' })
  const docs = posts.map(({ id, ...post }) => Object.assign(post, { _id: `p${String(id).padStart(2, '0')}` }))
  const body = JSON.stringify({ docs })
  await fetch(`${origin}/posts/_bulk_docs`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
})
