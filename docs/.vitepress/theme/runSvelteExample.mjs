// Runs the files of an example in the page, with Svelte. It is loaded when a reader who has chosen Svelte runs the first one.
import * as restitchSvelte from 'restitch/svelte'
import * as restitchSvelteTest from 'restitch/svelte/test'
import * as svelte from 'svelte'
import { compile as compileSvelte } from 'svelte/compiler'
import * as client from 'svelte/internal/client'
// A component without runes needs it.
// oxlint-disable-next-line import/no-unassigned-import -- it sets a flag
import 'svelte/internal/flags/legacy'
import { openExample } from './example.mjs'

// What no boundary of the example has caught ends here.
const ROOT = `<script>
  const { App, props, onerror } = $props()
</script>
<svelte:boundary {onerror}>
  <App {...props} />
  {#snippet failed()}{/snippet}
</svelte:boundary>`

/** As that of React. `entry` is a module that mounts an app, or a component. */
export function runExample(files, entry, element, settings, onChange, onError) {
  const apps = []
  const modules = {
    svelte: { ...svelte, mount },
    // Its compiled code reads some exports that change later.
    'svelte/internal/client': Object.create(client, { __esModule: { value: true } }),
    'svelte/internal/disclose-version': {},
    'svelte/internal/flags/legacy': {},
    'restitch/svelte': { ...restitchSvelte, setRestitch },
    'restitch/svelte/test': restitchSvelteTest,
  }
  const example = openExample({ ...files, 'src/Root.svelte': ROOT }, settings, onChange, modules, compile)

  // The app of the example, in the playground instead of `#app`.
  function mount(App, { props = {} } = {}) {
    const { default: Root } = example.load('src/Root.svelte')
    const app = svelte.mount(Root, { target: element, props: { App, props, onerror: onError } })
    apps.push(app)
    return app
  }
  // The store of the example, which also shows its cache to the page.
  function setRestitch(options) {
    const controller = restitchSvelte.setRestitch(options)
    example.watch(controller)
    return controller
  }
  const stop = () => {
    apps.forEach((app) => void svelte.unmount(app))
    example.stop()
  }
  try {
    const { default: App } = example.load(entry)
    if (App) {
      mount(App)
    }
  } catch (error) {
    stop()
    throw error
  }
  return { ...example, stop }
}

function compile(text, path) {
  if (!path.endsWith('.svelte')) {
    return text
  }
  try {
    return compileSvelte(text, { filename: path, generate: 'client', css: 'injected' }).js.code
  } catch (error) {
    throw new Error(`${path}: ${error.message}`, { cause: error })
  }
}
