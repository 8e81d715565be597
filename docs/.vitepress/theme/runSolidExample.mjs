// Runs the files of an example in the page, with Solid. It is loaded when a reader who has chosen Solid runs the first one.
import { transformSync } from '@babel/core'
import solidPreset from 'babel-preset-solid'
import * as restitchSolid from 'restitch/solid'
import * as restitchSolidTest from 'restitch/solid/test'
import * as solid from 'solid-js'
import * as web from 'solid-js/web'
import { transform } from 'sucrase'
import { openExample } from './example.mjs'

/** As that of React. `entry` is a module that renders an app, or has one as its default export. */
export function runExample(files, entry, element, settings, onChange, onError) {
  const disposers = []
  const example = openExample(
    files,
    settings,
    onChange,
    {
      'solid-js': solid,
      'solid-js/web': { ...web, render },
      'restitch/solid': { ...restitchSolid, RestitchProvider },
      'restitch/solid/test': restitchSolidTest,
    },
    compile,
  )

  // The app of the example, in the playground instead of `#root`. What no boundary of the example has caught ends here.
  function render(code) {
    const fallback = (error) => {
      onError(error)
      return null
    }
    const app = () =>
      solid.createComponent(solid.ErrorBoundary, {
        fallback,
        get children() {
          return code()
        },
      })
    disposers.push(web.render(app, element))
  }
  // The provider of the example, which also shows its cache to the page.
  function RestitchProvider(props) {
    const children = () => {
      example.watch(restitchSolid.useController())
      return props.children
    }
    return solid.createComponent(
      restitchSolid.RestitchProvider,
      solid.mergeProps(props, {
        get children() {
          return solid.createComponent(children, {})
        },
      }),
    )
  }
  const stop = () => {
    disposers.forEach((dispose) => dispose())
    example.stop()
  }
  try {
    const { default: App } = example.load(entry)
    if (App) {
      render(() => solid.createComponent(App, {}))
    }
  } catch (error) {
    stop()
    throw error
  }
  return { ...example, stop }
}

function compile(text, path) {
  if (!path.endsWith('.tsx')) {
    return text
  }
  const { code } = transform(text, { transforms: ['typescript', 'jsx'], jsxRuntime: 'preserve', filePath: path })
  return transformSync(code, {
    filename: `/${path}`,
    // Without these, it asks the process.
    cwd: '/',
    envName: 'production',
    presets: [solidPreset],
    parserOpts: { plugins: ['jsx'] },
    babelrc: false,
    configFile: false,
  }).code
}
