// Feathers 5: `$sort`, `$limit` and `$skip`, and an envelope with a total around each list.
import express, { json, rest, urlencoded } from '@feathersjs/express'
import { feathers } from '@feathersjs/feathers'
import { memory } from '@feathersjs/memory'
import { listen, posts } from './seed.mjs'

const app = express(feathers())
app.use(json(), urlencoded({ extended: true }))
app.configure(rest())
const store = Object.fromEntries(posts.map((post) => [post.id, post]))
app.use('posts', memory({ store, startId: 100, paginate: { default: 50, max: 50 } }))
await app.setup()
listen(app)
