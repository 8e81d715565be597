import { renderToStringAsync } from 'preact-render-to-string'

/**
 * A stream of Preact moves what has suspended by a script of its own. Here the page waits for everything, as it does with `onAllReady` in React.
 */
export function renderToPipeableStream(tree, { onAllReady }) {
  let html = ''
  renderToStringAsync(tree).then((text) => {
    html = text
    return onAllReady()
  })
  return { pipe: (to) => void to.end(html) }
}
