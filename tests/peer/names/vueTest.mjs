export * from 'restitch/vue/test'
