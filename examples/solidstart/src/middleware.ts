import { createMiddleware } from '@solidjs/start/middleware'

/** The state of a page stands in its head, in front of the scripts that read it. */
export default createMiddleware({
  onBeforeResponse: ({ locals }, response) => {
    const { restitch } = locals
    if (restitch && typeof response.body === 'string') {
      response.body = response.body.replace('</head>', () => `${restitch.renderState()}</head>`)
    }
  },
})
