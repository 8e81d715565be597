const FILES = import.meta.glob<string>(['../resources/*.ts', '../screens/*.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Some lines of a file. */
export interface Excerpt {
  readonly file: string
  readonly code: string
}

interface Source {
  readonly file: string
  /** The line it starts with. */
  readonly from: string
  /** Without it, the excerpt ends with the declaration. */
  readonly lines?: number
}

const SOURCES: readonly [RegExp, readonly Source[]][] = [
  [/^\/projects\/\w+\/activity$/, [{ file: 'resources/activity.ts', from: 'export const getActivity' }]],
  [/^\/(?:projects\/\w+\/)?stats$/, [{ file: 'resources/projects.ts', from: 'export const ProjectResource' }]],
  [
    /^\/projects\//,
    [
      { file: 'resources/issues.ts', from: 'const issueLists' },
      { file: 'resources/issues.ts', from: 'export const IssueResource' },
      { file: 'screens/Board.tsx', from: 'function Cards', lines: 4 },
      { file: 'screens/Board.tsx', from: '    void send(IssueResource.getList.move', lines: 1 },
    ],
  ],
  [
    /^\/issues\/./,
    [
      { file: 'screens/IssueDetail.tsx', from: 'export function IssueDetail', lines: 7 },
      { file: 'resources/comments.ts', from: 'export const CommentResource' },
    ],
  ],
  [
    /^\/issues/,
    [
      { file: 'resources/issues.ts', from: 'const issueLists' },
      { file: 'resources/issues.ts', from: 'export const IssueResource' },
      { file: 'screens/IssueList.tsx', from: 'function Rows', lines: 2 },
    ],
  ],
  [
    /^\/people/,
    [
      { file: 'resources/people.ts', from: 'export const PersonResource' },
      { file: 'screens/People.tsx', from: 'export function People', lines: 2 },
    ],
  ],
  [
    /^\/search/,
    [
      { file: 'resources/search.ts', from: 'export const searchIssues' },
      { file: 'screens/Search.tsx', from: 'function Results', lines: 3 },
    ],
  ],
  [
    /^\/dashboard/,
    [
      { file: 'screens/Dashboard.tsx', from: 'const liveIssues', lines: 1 },
      { file: 'screens/Dashboard.tsx', from: 'function TotalNumber' },
      { file: 'screens/Dashboard.tsx', from: 'function StreamedTicker' },
    ],
  ],
]

/** The lines that load and change the data of a screen. */
export function readSources(place: string): Excerpt[] {
  const sources = SOURCES.find(([pattern]) => pattern.test(place))?.[1] ?? []
  return sources.map(({ file, from, lines }) => {
    const all = FILES[`../${file}`]!.split('\n')
    const start = all.findIndex((line) => line.startsWith(from))
    const end = lines ? start + lines : all.findIndex((line, at) => at > start && /^[)}]+$/.test(line)) + 1
    const part = all.slice(start, end)
    const indent = /^ */.exec(part[0]!)![0].length
    return { file: `demo/app/${file}`, code: part.map((line) => line.slice(indent)).join('\n') }
  })
}
