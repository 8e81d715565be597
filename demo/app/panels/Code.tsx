import { Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useLocation } from 'wouter'
import { highlight } from './highlight.ts'
import { type Excerpt, readSources } from './sources.ts'
import classes from './Code.module.css'

/** The lines behind the screen, as they are in the repository. */
export function Code(): ReactNode {
  const [place] = useLocation()
  const sources = readSources(place)
  if (!sources) {
    return <Text size="sm">This screen loads no data.</Text>
  }
  const { screen, data } = sources
  return (
    <Stack gap="sm">
      <Text size="sm">
        {countLines(screen)} lines of this screen load and change its data. {countLines(data)} lines describe the
        records and lists, for this and other screens. All of them are below; none updates an issue list or rolls back
        an edit, because the library does.
      </Text>
      <Excerpts title="This screen" excerpts={screen} />
      <Excerpts title="The data layer" excerpts={data} />
      <Text size="xs" c="dimmed">
        All endpoints extend one class, which sends the credentials: demo/app/resources/api.ts.
      </Text>
    </Stack>
  )
}

function Excerpts({ title, excerpts }: { title: string; excerpts: readonly Excerpt[] }): ReactNode {
  return (
    <>
      <Title order={3} size="h5" mt="xs">
        {title}
      </Title>
      {excerpts.map(({ file, code }, at) => (
        <div key={code}>
          {file !== excerpts[at - 1]?.file && (
            <Text size="xs" ff="monospace" mb={4}>
              {file}
            </Text>
          )}
          <Block code={code} label={file} />
        </div>
      ))}
    </>
  )
}

function Block({ code, label }: { code: string; label: string }): ReactNode {
  const tokens = useMemo(() => highlight(code), [code])
  return (
    <pre className={classes['block']} tabIndex={0} aria-label={label} role="region">
      {tokens.map(({ kind, text }, at) =>
        kind === 'plain' ? (
          text
        ) : (
          <span key={at} className={classes[kind]}>
            {text}
          </span>
        ),
      )}
    </pre>
  )
}

function countLines(excerpts: readonly Excerpt[]): number {
  return excerpts.reduce((sum, { code }) => sum + code.split('\n').length, 0)
}
