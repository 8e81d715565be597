// json-server 0.17: lists that are cut, sorted and searched; totals and pages in headers.
import jsonServer from 'json-server'
import { listen, posts } from './seed.mjs'

const app = jsonServer.create()
app.use(jsonServer.defaults({ logger: false }))
app.use(jsonServer.router({ posts }))
listen(app)
