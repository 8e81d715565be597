export * from 'restitch/test'
export * from 'restitch/mock'
