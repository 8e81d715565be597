import { Tabs } from '@mantine/core'
import { type ReactNode, useCallback, useState } from 'react'
import { readFlights } from './InsideManager.ts'
import { isListTable } from './inside/format.ts'
import classes from './inside/inside.module.css'
import { Log } from './inside/Log.tsx'
import { Renders } from './inside/Renders.tsx'
import { Results } from './inside/Results.tsx'
import { type Place, Rows } from './inside/Rows.tsx'
import { useInside } from './inside/useInside.ts'
import { Flights, Pending } from './inside/Waiting.tsx'

export { InsideManager } from './InsideManager.ts'

type Tab = 'tables' | 'lists' | 'endpoints' | 'pending' | 'flights' | 'log' | 'renders'

/** The store as it is now: made of `controller.getState()` and of what a manager sees. */
export function Inside(): ReactNode {
  const [tab, setTab] = useState<Tab>('tables')
  const [row, setRow] = useState<Place>()
  const [list, setList] = useState<Place>()
  const open = useCallback((place: Place): void => {
    const isList = isListTable(place.table)
    if (isList) {
      setList(place)
    } else {
      setRow(place)
    }
    setTab(isList ? 'lists' : 'tables')
  }, [])
  const screens: Record<Tab, ReactNode> = {
    tables: <Rows kind="tables" place={row} onOpen={open} />,
    lists: <Rows kind="lists" place={list} onOpen={open} />,
    endpoints: <Results />,
    pending: <Pending />,
    flights: <Flights />,
    log: <Log />,
    renders: <Renders />,
  }
  return (
    <div className={classes['panel']}>
      <Tabs
        className={classes['tabs']}
        value={tab}
        onChange={(next) => setTab(next as Tab)}
        keepMounted={false}
        variant="outline"
      >
        <TabList />
        {(Object.keys(screens) as Tab[]).map((name) => (
          <Tabs.Panel key={name} value={name} className={classes['tab']}>
            {screens[name]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  )
}

function TabList(): ReactNode {
  const { entities, meta, optimistic } = useInside()
  const count = (isList: boolean): number =>
    Object.entries(entities)
      .filter(([key]) => isListTable(key) === isList)
      .reduce((sum, [, rows]) => sum + Object.keys(rows).length, 0)
  const tabs: [Tab, string, number?][] = [
    ['tables', 'Tables', count(false)],
    ['lists', 'Lists', count(true)],
    ['endpoints', 'Endpoints', Object.keys(meta).length],
    ['pending', 'Pending', optimistic.length],
    ['flights', 'In flight', readFlights().length],
    ['log', 'Actions'],
    ['renders', 'Renders'],
  ]
  return (
    <Tabs.List className={classes['tabList']}>
      {tabs.map(([value, label, number]) => (
        <Tabs.Tab key={value} value={value}>
          {label}
          {number !== undefined && <span className={classes['count']}>{number.toLocaleString()}</span>}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
}
