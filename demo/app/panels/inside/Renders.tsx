import { Button, Group, ScrollArea, Table, Text } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { clearMarks, marksSignal, readMarks } from '../marks.ts'
import classes from './inside.module.css'

/** Which components were rendered, and how often. */
export function Renders(): ReactNode {
  useSyncExternalStore(marksSignal.subscribe, marksSignal.version)
  const marks = readMarks()
  return (
    <div className={classes['column']}>
      <Group justify="space-between">
        <Text size="xs">Clear the counter, change something, and see who was rendered for it.</Text>
        <Button size="compact-xs" variant="default" onClick={clearMarks}>
          Clear counter
        </Button>
      </Group>
      {marks.length === 0 ? (
        <div className={classes['empty']}>No component on this screen counts its renders.</div>
      ) : (
        <ScrollArea flex={1} viewportProps={{ tabIndex: 0, 'aria-label': 'Renders' }}>
          <Table stickyHeader fz="xs" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Component</Table.Th>
                <Table.Th ta="end">On screen</Table.Th>
                <Table.Th ta="end">Since cleared</Table.Th>
                <Table.Th ta="end">In all</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {marks.map(({ name, instances, recent, renders }) => (
                <Table.Tr key={name}>
                  <Table.Td className={classes['mono']}>{name}</Table.Td>
                  <Table.Td ta="end">{instances.size}</Table.Td>
                  {/* A new key makes a new cell, and that one flashes. */}
                  <Table.Td ta="end" key={recent} className={recent > 0 ? classes['fresh'] : undefined}>
                    {recent}
                  </Table.Td>
                  <Table.Td ta="end">{renders}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea>
      )}
    </div>
  )
}
