// Runs the files of an example in the page, with Vue. It is loaded when a reader who has chosen Vue runs the first one.
import * as restitchVue from 'restitch/vue'
import * as restitchVueTest from 'restitch/vue/test'
import * as Vue from 'vue'
import { compileScript, parse } from 'vue/compiler-sfc'
import { openExample } from './example.mjs'

/** As that of React. `entry` is a module that mounts an app. */
export function runExample(files, entry, element, settings, onChange, onError) {
  const apps = []
  const modules = {
    vue: { ...Vue, createApp },
    'restitch/vue': { ...restitchVue, createRestitch },
    'restitch/vue/test': restitchVueTest,
  }
  const example = openExample(files, settings, onChange, modules, compile)

  // The app of the example, in the playground instead of `#app`.
  function createApp(...given) {
    const app = Vue.createApp(...given)
    const { mount } = app
    app.config.errorHandler = onError
    app.mount = () => mount(element)
    apps.push(app)
    return app
  }
  // The plugin of the example, which also shows its cache to the page.
  function createRestitch(options) {
    const restitch = restitchVue.createRestitch(options)
    example.watch(restitch.controller)
    return restitch
  }
  const stop = () => {
    apps.forEach((app) => app.unmount())
    example.stop()
  }
  try {
    example.load(entry)
  } catch (error) {
    stop()
    throw error
  }
  return { ...example, stop }
}

function compile(text, path) {
  if (!path.endsWith('.vue')) {
    return text
  }
  const { descriptor, errors } = parse(text, { filename: path })
  if (errors.length > 0) {
    throw new Error(`${path}: ${errors[0].message}`)
  }
  return compileScript(descriptor, { id: path, inlineTemplate: true }).content
}
