export * from 'restitch'
export * from 'restitch/graphql'
