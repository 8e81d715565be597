// The app of docs/learn after each page, for the playgrounds of the site.
import { FRAMEWORKS } from '../../../scripts/frameworks.mjs'
import { readLearn } from '../../../scripts/learn.mjs'

const HIDDEN = /^vite\.config|\.test\./

export default {
  watch: ['../../learn/*.md'],
  load: () => Object.fromEntries(FRAMEWORKS.map((name) => [name.toLowerCase(), readSteps(name)])),
}

function readSteps(framework) {
  const steps = readLearn(framework).map(({ files }) =>
    Object.fromEntries(Object.entries(files).filter(([name]) => !HIDDEN.test(name))),
  )
  // Playgrounds show the files that the page changes first.
  return steps.map((files, index) => ({
    files,
    changed: Object.keys(files).filter((name) => name !== 'fakeApi.ts' && files[name] !== steps[index - 1]?.[name]),
  }))
}
