import { Code as CodeBlock, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { readSources } from './sources.ts'

/** The lines behind the screen, as they are in the repository. */
export function Code(): ReactNode {
  const [place] = useLocation()
  const sources = readSources(place)
  if (sources.length === 0) {
    return <Text size="sm">This screen loads no data.</Text>
  }
  const count = sources.reduce((sum, { code }) => sum + code.split('\n').length, 0)
  return (
    <Stack gap="sm">
      <Text size="sm">
        These {count} lines load and change the data of this screen. None of them invalidates a list or rolls back an
        edit: the library does.
      </Text>
      {sources.map(({ file, code }) => (
        <div key={code}>
          <Text size="xs" ff="monospace" mb={4}>
            {file}
          </Text>
          <CodeBlock block tabIndex={0} style={{ whiteSpace: 'pre-wrap' }}>
            {code}
          </CodeBlock>
        </div>
      ))}
    </Stack>
  )
}
