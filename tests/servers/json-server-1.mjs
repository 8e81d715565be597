// json-server 1.0: pages with a total in an envelope.
import { createApp } from 'json-server-1/lib/app.js'
import { listen, posts } from './seed.mjs'

const db = { data: { posts: structuredClone(posts) }, read() {}, write() {} }
listen(createApp(db))
