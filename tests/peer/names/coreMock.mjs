export * from 'restitch/mock'
