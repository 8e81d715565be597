// Finds wording that nobody searches for: each rule names the words to write instead.
// It reads documents, comments, messages and the texts of the demo, and never code.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PLACES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs',
  'src',
  'demo',
  'examples',
  'openapi',
  'eslint',
  'migrate',
  'scripts',
  'bench',
  'tests',
]
// Data that is made up, and this list with its test.
const LEFT_OUT = /\/(?:node_modules|dist|build|screenshots|\.[^/]+)$|\/(?:seedTexts\.ts|voice\.mjs|voice\.test\.ts)$/

/** [words, what to write instead]. A space stands for any white space, so that a phrase may be broken at the end of a line. */
const PHRASES = [
  [/whoever|whomever|somebody|anybody/, 'reader, subscriber, caller, component'],
  [/who (?:asks?|reads|waits|subscribes|comes next)/, 'reader, subscriber, caller'],
  [/ask(?:s|ed|ing)? (?:again|for|once more|the server(?! again)|a server)/, 'fetch, refetch, request'],
  [/answer(?:s|ed|ing)?(?! (?:(?:a|one|the|this|that|your) )?questions?\b)/, 'response, respond, return'],
  [/(?:give|gives|gave|given|giving) up/, 'abort, cancel, stop'],
  [/(?:let|lets|letting) go(?: of)?/, 'release, abort, remove'],
  [/(?:is|are|be|been|was|were|readers) told(?! apart)/, 'notify, receive'],
  [/hears? of/, 'is notified of'],
  [/hand(?:s|ed|ing)? (?:on|back)/, 'pass, return'],
  [/anew/, 'again'],
  [/by and by/, 'later'],
  [/meanwhile/, 'at the same time, since then'],
  [/under way/, 'pending, in flight'],
  [/in the place of/, 'instead of'],
  [/out of date/, 'stale'],
  [/(?:is|are|was) no more(?! than)/, 'is removed, is deleted'],
  [/take(?:s|n)? out/, 'remove, delete, evict'],
  [/(?:comes?|came) by itself/, 'real-time data; sent by the server'],
  [/(?:nothing|what) (?:comes|came|becomes|became) of/, 'say what happens'],
  [/comes? to nothing/, 'fails, has no effect'],
  [/nobody (?:asks|asked|waits|reads|wants|needs|looks)/, 'without readers, no caller'],
  [/everybody (?:sees|who)/, 'every reader'],
  [/(?:take|takes|took|taken|taking) in/, 'normalise, store, accept'],
  [/on (?:its|their|his) own account/, 'itself, on its own'],
  [/dear to/, 'expensive to'],
  [/be it an?/, 'even if it is'],
  [/you are through/, "you're done"],
].map(([words, write]) => [
  new RegExp(`(?<![\\w.-])(?:${words.source.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
  write,
])

/** A sentence that begins like a question and is none. */
const OPENING = /(?:^|[.!]\s+)((?:What|Who|Whom|Whose|Whoever|Whatever)\b(?:[^.!?]|[.!?](?!\s|$))*)([.!?]|$)/g
const OPENING_WRITE = 'put the subject first'

/**
 * The faults of one file, in its order.
 * @param {string} file decides how it is read: Markdown, or code with comments
 * @param {string} text
 */
export function findFaults(file, text) {
  const faults = []
  for (const chunk of file.endsWith('.md') ? readMarkdown(text) : readCode(text)) {
    const add = (index, words, write) => faults.push({ index: chunk.index + index, words, write })
    for (const [pattern, write] of PHRASES) {
      for (const { index, 0: words } of chunk.text.matchAll(pattern)) {
        add(index, words, write)
      }
    }
    for (const { index, 0: all, 1: words, 2: end } of chunk.text.matchAll(OPENING)) {
      // A title or a label is no sentence.
      if (end !== '?' && !(chunk.label && end === '')) {
        add(index + all.indexOf(words), words.split(/\s+/).slice(0, 4).join(' '), OPENING_WRITE)
      }
    }
  }
  return faults
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, words, write }) => ({
      line: text.slice(0, index).split('\n').length,
      words: words.trim().replaceAll(/\s+/g, ' '),
      write,
    }))
}

/** Paragraphs, list items, headings and table cells. Code in them becomes dots of the same length. */
function readMarkdown(text) {
  const dots = (code) => code.replaceAll(/[^\n]/g, '·')
  const prose = text
    .replace(/^---\n[\s\S]*?\n---$/m, (head) => head.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2/gm, (block) => block.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/<!--[\s\S]*?-->/g, (block) => block.replaceAll(/[^\n]/g, ' '))
    // The code of a rule is not part of its sentence.
    .replaceAll(/^(\s*[-|] )(`[A-Z]+-\d+`)/gm, (_, mark, code) => mark + ' '.repeat(code.length))
    .replaceAll(/`+[^`]+`+/g, dots)
    .replaceAll(/\]\([^)\s]+\)/g, dots)
  const chunks = []
  for (const { index, 0: block } of prose.matchAll(/(?:^[^\n]*\S[^\n]*\n?)+/gm)) {
    for (const part of block.matchAll(
      /(?:^|\n)(?:#+ |\s*(?:[-*]|\d+\.) |\s*\|)?(?:(?!\n#+ |\n\s*(?:[-*]|\d+\.) |\n\s*\|)[\s\S])+/g,
    )) {
      const at = index + part.index
      if (/^\s*\|/.test(part[0])) {
        for (const cell of part[0].matchAll(/[^|\n]+/g)) {
          chunks.push(trim(cell[0], at + cell.index, true))
        }
      } else {
        chunks.push(trim(part[0], at, /^\s*#/.test(part[0])))
      }
    }
  }
  return chunks
}

/** Comments, literals of several words, and the texts of JSX. */
function readCode(text) {
  const chunks = []
  const blank = (all) => all.replaceAll(/[^\n]/g, ' ')
  const take = (all, offset) => {
    const words = all
      .replaceAll(/^[ \t]*(?:\/\*+|\*\/|\*|\/\/+|\{\/\*)|\*\/\}?/gm, blank)
      .replaceAll(/`+[^`]+`+|\{@link [^}]+\}|\S+\/\S+/g, (code) => code.replaceAll(/[^\n]/g, '·'))
    // An example is code; a tag begins a paragraph of its own.
    const prose = words.replace(/@example[\s\S]*?(?=@see|$)/, blank)
    for (const part of prose.matchAll(/(?:(?!@\w|\n[ \t]*\n)[\s\S])+/g)) {
      chunks.push(trim(part[0].replace(/^(?:see|param|returns?|default) ?/, blank), offset + part.index, false))
    }
    return blank(all)
  }
  const code = text
    .replaceAll(/^[ \t]*\{?\/\*[\s\S]*?\*\/\}?/gm, take)
    .replaceAll(/(?:^[ \t]*\/\/[^\n]*\n?)+/gm, take)
    .replaceAll(/(?<=\s)\/\/ [^\n]*|(?<=\s)\/\*[^\n]*?\*\//g, take)
  for (const { index, 0: literal } of code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)) {
    if (/\w \w+ \w/.test(literal)) {
      chunks.push(trim(literal.replaceAll(/\$\{[^}]*\}/g, blank).slice(1, -1), index + 1, true))
    }
  }
  for (const { index, 1: words } of code.matchAll(/>(\s*[A-Z][^<>{}=;&|]*?)(?=[<{])/g)) {
    chunks.push(trim(words, index + 1, true))
  }
  return chunks
}

function trim(text, index, label) {
  const start = /^(?:\s|#+ |[-*] |\d+\. |\|)*/.exec(text)[0].length
  return { text: text.slice(start).trimEnd(), index: index + start, label }
}

function* listFiles(place) {
  if (LEFT_OUT.test(place)) {
    return
  }
  if (statSync(place).isDirectory()) {
    for (const name of readdirSync(place)) {
      yield* listFiles(`${place}/${name}`)
    }
  } else if (/\.(?:md|tsx?|mjs|css)$/.test(place)) {
    yield place
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const only = process.argv.slice(2)
  let [files, faults] = [0, 0]
  for (const place of only.length > 0 ? only : PLACES) {
    for (const file of only.length > 0 ? [place] : listFiles(place)) {
      files += 1
      for (const { line, words, write } of findFaults(file, readFileSync(file, 'utf8'))) {
        faults += 1
        console.error(`${file}:${line}: "${words}": write ${write}`)
      }
    }
  }
  console.log(`${files} files, ${faults} phrases that could be plainer`)
}
