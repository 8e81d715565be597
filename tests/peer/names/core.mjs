export * from 'restitch'
