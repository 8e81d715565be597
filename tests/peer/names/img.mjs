export * from 'restitch/img'
