import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './inside.module.css'
import { toText } from './format.ts'

interface InspectorProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly value?: unknown
  readonly children?: ReactNode
}

/** One thing, field by field. */
export function Inspector({ title, aside, value, children }: InspectorProps): ReactNode {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return (
    <section className={classes['inspector']} aria-label={`Details of ${title}`} tabIndex={0}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text fw={600} size="xs" className={classes['mono']} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        {aside}
      </Group>
      {children}
      {isRecord ? (
        <Fields record={value} />
      ) : (
        value !== undefined && <pre className={classes['json']}>{toText(value)}</pre>
      )}
    </section>
  )
}

function Fields({ record }: { record: object }): ReactNode {
  return (
    <table className={classes['fields']}>
      <tbody>
        {Object.entries(record)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <pre className={classes['json']}>{toText(value)}</pre>
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
