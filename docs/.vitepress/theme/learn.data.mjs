// The app of docs/learn after each page, for the playgrounds of the site.
import { readLearn } from '../../../scripts/learn.mjs'

const HIDDEN = /^vite\.config|\.test\./

export default {
  watch: ['../../learn/*.md'],
  load: () => ({ react: readSteps('React'), vue: readSteps('Vue') }),
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
