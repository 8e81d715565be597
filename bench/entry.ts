// What the subject `restitch` is made of; the runner bundles it as an app would.
export { All, Collection, createStore, Entity, getDefaultManagers, Query, RestEndpoint } from '../src/index.ts'
