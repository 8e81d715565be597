// Pages show the same code for several frameworks: the blocks below a line `**React**`, then those below a line `**Vue**`, in Learn also `**Svelte**` and
// `**Solid**`, up to the next text. The site shows one of them (docs/.vitepress/config.mjs). A block that begins with the name of a file, `// api.ts` or `<!-- Row.vue -->`, can be
// imported by the others of its page.

const NAME = /^(?:\/\/|<!--) (?:src\/)?([\w.]+)/

/** The names of the frameworks, as the lines above their blocks have them. */
export const FRAMEWORKS = ['React', 'Vue', 'Svelte', 'Solid']

/**
 * The code blocks of a page. Those without a `framework` are for all; `line` is the one above the code. `name` is there if another block imports
 * it.
 * @returns {{ kind: string, line: number, text: string, framework?: string, name?: string }[]}
 */
export function readBlocks(page) {
  const blocks = []
  let framework
  let open
  for (const [index, line] of page.split('\n').entries()) {
    if (open) {
      if (line.startsWith('```')) {
        const [, name = ''] = NAME.exec(open.text) ?? []
        const isImported = name && page.includes(` from './${name.replace(/\.ts$/, '')}'`)
        blocks.push(isImported ? { ...open, name } : open)
        open = undefined
      } else {
        open.text += `${line}\n`
      }
    } else if (line.startsWith('```')) {
      const [kind] = /\w*/.exec(line.slice(3))
      open = { kind, line: index + 1, text: '', ...(framework && { framework }) }
    } else if (line.trim()) {
      framework = FRAMEWORKS.find((name) => line === `**${name}**`)
    }
  }
  return blocks
}
