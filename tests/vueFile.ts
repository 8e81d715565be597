// Compiles single-file components of the documents, for tests that run them.
import { compileScript, parse } from 'vue/compiler-sfc'

/** The module of a `.vue` file, as TypeScript. */
export function compileVue(text: string, path: string): string {
  const { descriptor, errors } = parse(text, { filename: path })
  if (errors.length > 0) {
    throw new Error(`${path}: ${errors[0]!.message}`)
  }
  return compileScript(descriptor, { id: path, inlineTemplate: true }).content
}
