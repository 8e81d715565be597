// What the subject `restitch` is made of; the runner bundles it as an app would.
export { Driver } from '../src/controller/driver.ts'
export { All } from '../src/schema/All.ts'
export { Collection } from '../src/schema/Collection.ts'
export { Entity } from '../src/schema/Entity.ts'
export { Query } from '../src/schema/Query.ts'
export { RestEndpoint } from '../src/rest/RestEndpoint.ts'
