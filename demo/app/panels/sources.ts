const FILES = import.meta.glob<string>(['../resources/*.ts', '../screens/*.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Some lines of a file, or all of it. */
export interface Excerpt {
  readonly file: string
  readonly code: string
}

/** The code behind a screen: what the screen itself does, and the data layer, which it shares with others. */
export interface Sources {
  readonly screen: readonly Excerpt[]
  readonly data: readonly Excerpt[]
}

interface Part {
  readonly file: string
  /** The line it starts with. */
  readonly from: string
  /** Without it, the excerpt ends with the declaration. */
  readonly lines?: number
}

interface Screen {
  readonly at: RegExp
  readonly parts: readonly Part[]
  /** The files of `resources` that it uses. */
  readonly data: readonly string[]
}

const SCREENS: readonly Screen[] = [
  {
    at: /^\/projects\/\w+\/activity$/,
    parts: [
      { file: 'screens/ActivityScreen.tsx', from: '  const list =', lines: 5 },
      { file: 'screens/ActivityScreen.tsx', from: '        <Button variant="default" size="xs"', lines: 3 },
    ],
    data: ['activity'],
  },
  {
    at: /^\/(?:projects\/\w+\/)?stats$/,
    parts: [
      { file: 'screens/Stats.tsx', from: '  const projects =', lines: 1 },
      { file: 'screens/Stats.tsx', from: '  const { projectStats: project }', lines: 1 },
      { file: 'screens/Stats.tsx', from: '        onRename=', lines: 1 },
    ],
    data: ['projects', 'people'],
  },
  {
    at: /^\/large/,
    parts: [
      { file: 'screens/LargeBoard.tsx', from: '  const tasks = useQuery', lines: 1 },
      { file: 'screens/LargeBoard.tsx', from: '    void controller.setResponse', lines: 1 },
    ],
    data: ['large'],
  },
  {
    at: /^\/projects\//,
    parts: [
      { file: 'screens/Board.tsx', from: '  const list =', lines: 3 },
      { file: 'screens/Board.tsx', from: '    void send(IssueResource.getList.move', lines: 1 },
      { file: 'screens/Board.tsx', from: 'export const columnOf' },
    ],
    data: ['issues', 'offline'],
  },
  {
    at: /^\/issues\/./,
    parts: [{ file: 'screens/IssueDetail.tsx', from: '  // Requested together with', lines: 6 }],
    data: ['comments', 'attachments', 'issues'],
  },
  {
    at: /^\/issues/,
    parts: [
      { file: 'screens/IssueList.tsx', from: '  const { items, hasNextPage', lines: 1 },
      { file: 'screens/IssueList.tsx', from: '  const { data, loading, error } = useDLE', lines: 1 },
      { file: 'screens/IssueList.tsx', from: '      <StatusMenu status={status} onMove=', lines: 1 },
    ],
    data: ['issues'],
  },
  {
    at: /^\/people/,
    parts: [
      { file: 'screens/People.tsx', from: '  const people =', lines: 1 },
      { file: 'screens/People.tsx', from: '        <InlineText label="Name"', lines: 1 },
    ],
    data: ['people'],
  },
  {
    at: /^\/search/,
    parts: [
      { file: 'screens/Search.tsx', from: '  const { total, page, pages }', lines: 2 },
      { file: 'screens/Search.tsx', from: 'function useShown' },
    ],
    data: ['search'],
  },
  {
    at: /^\/dashboard/,
    parts: [
      { file: 'screens/Dashboard.tsx', from: 'const liveIssues', lines: 1 },
      { file: 'screens/Dashboard.tsx', from: 'function TotalNumber' },
      { file: 'screens/Dashboard.tsx', from: 'function StreamedTicker' },
      { file: 'screens/Dashboard.tsx', from: '  const counts =', lines: 1 },
    ],
    data: ['ticker', 'counts', 'issues'],
  },
]

/** The lines that load and change the data of a screen, the shortest first. */
export function readSources(place: string): Sources | undefined {
  const found = SCREENS.find(({ at }) => at.test(place))
  return found && { screen: found.parts.map(readPart), data: found.data.map(readData) }
}

function readPart({ file, from, lines }: Part): Excerpt {
  const all = FILES[`../${file}`]!.split('\n')
  const start = all.findIndex((line) => line.startsWith(from))
  const end = lines ? start + lines : all.findIndex((line, at) => at > start && /^[)}]+$/.test(line)) + 1
  const part = all.slice(start, end)
  const indent = /^ */.exec(part[0]!)![0].length
  return { file: `demo/app/${file}`, code: part.map((line) => line.slice(indent)).join('\n') }
}

function readData(name: string): Excerpt {
  const file = `resources/${name}.ts`
  const code = FILES[`../${file}`]!.replace(/^import [\s\S]*? from '[^']+'\n/gm, '')
  return { file: `demo/app/${file}`, code: code.trim() }
}
