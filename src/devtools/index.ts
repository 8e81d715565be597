export { type DevtoolsOptions, mountDevtools, openDevtools } from './mountDevtools.ts'
export { RestitchDevtools } from './RestitchDevtools.ts'
