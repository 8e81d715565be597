// The entry of the subject `restitch`; the runner bundles it as an app would.
export { groupBy, query, sortBy, sum, take, where } from '../src/query/index.ts'
export { All, Collection, createStore, Entity, getDefaultManagers, Query, RestEndpoint } from '../src/index.ts'
