import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Button,
  CloseButton,
  ColorSwatch,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Skeleton,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconBolt,
  IconChartBar,
  IconCode,
  IconLayoutDashboard,
  IconListDetails,
  IconLogout,
  IconMoon,
  IconSend,
  IconRoute,
  IconSearch,
  IconSun,
  IconTable,
  IconUsers,
} from '@tabler/icons-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Img } from 'restitch/img'
import { useController, useOutbox, useSuspense } from 'restitch/react'
import { Link, useLocation } from 'wouter'
import { BreakIt } from '../panels/BreakIt.tsx'
import { Code } from '../panels/Code.tsx'
import { OutboxPanel } from '../panels/OutboxPanel.tsx'
import { FaultBadge } from '../panels/FaultBadge.tsx'
import { useFaultsUntilLeaving } from '../panels/useFaultsUntilLeaving.ts'
import { ProjectResource } from '../resources/projects.ts'
import { endSession, getSession, signOut } from '../resources/session.ts'
import { endTour, isTourBegun, isTourOver } from '../tour/progress.ts'
import { Tour } from '../tour/Tour.tsx'
import { Portrait } from './badges.tsx'
import { Boundary } from './Boundary.tsx'
import { Logo } from './Logo.tsx'
import { RecoveryProvider } from './recovery.tsx'
import { useCrossed } from './useCrossed.ts'
import { useSend } from './useSend.ts'
import { formatNumber } from './format.ts'

const PLACES = [
  { to: '/dashboard', label: 'Dashboard', Icon: IconLayoutDashboard },
  { to: '/issues', label: 'Issues', Icon: IconListDetails },
  { to: '/search', label: 'Search', Icon: IconSearch },
  { to: '/people', label: 'People', Icon: IconUsers },
  { to: '/stats', label: 'Statistics', Icon: IconChartBar },
  { to: '/large', label: 'Large board', Icon: IconTable },
]
const PANELS = {
  code: { label: 'Code', Icon: IconCode, Panel: Code },
  outbox: { label: 'Outbox', Icon: IconSend, Panel: OutboxPanel },
  break: { label: 'Break it', Icon: IconBolt, Panel: BreakIt },
}
type PanelName = keyof typeof PANELS

/** The frame of every screen: navigation, the signed-in user, and the panels. */
export function Shell({ children }: { children: ReactNode }) {
  const [isMenuOpen, { toggle, close }] = useDisclosure()
  const [panel, setPanel] = useState<PanelName>()
  const [place] = useLocation()
  // It starts at the front door only, until it was skipped or finished once, and continues after a reload.
  const [isTouring, setTouring] = useState(() => isTourBegun() || (place === '/' && !isTourOver()))
  const { label, Panel } = PANELS[panel ?? 'break']
  const opener = useRef<Element>(null)
  const openPanel = (name: PanelName) => {
    // Safari does not focus a button that is clicked.
    opener.current = document.activeElement === document.body ? null : document.activeElement
    setPanel(name)
  }
  const closePanel = () => {
    const button = opener.current?.isConnected ? opener.current : document.getElementById(`open-${panel}`)
    ;(button as HTMLElement | null)?.focus()
    setPanel(undefined)
  }
  const stopTour = () => {
    endTour()
    setTouring(false)
    document.getElementById('start-tour')?.focus()
  }
  useEscape(panel ? closePanel : undefined)
  useEffect(() => {
    if (panel) {
      document.getElementById('panel-title')?.focus()
    }
  }, [panel])
  useFaultsUntilLeaving()
  useCrossed()
  const { pending, failed, conflicts } = useOutbox()
  const isStuck = failed.length + conflicts.length > 0
  const unsent = pending.length + failed.length + conflicts.length
  return (
    <RecoveryProvider>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
        aside={{
          width: panel === 'code' ? 520 : 380,
          breakpoint: 'md',
          collapsed: { desktop: !panel, mobile: !panel },
        }}
        padding={0}
      >
        <a className="skip" href="#main">
          Skip to content
        </a>
        <AppShell.Header>
          <Group h="100%" px={{ base: 'sm', sm: 'md' }} className="bar" wrap="nowrap">
            <Burger opened={isMenuOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Group gap="xs" wrap="nowrap" visibleFrom="xs">
              <Logo />
              <Text fw={700}>Tracker</Text>
              <Text size="sm" c="dimmed" visibleFrom="sm">
                a demo of <b>restitch</b>
              </Text>
            </Group>
            <Group className="bar" ml="auto" wrap="nowrap">
              <FaultBadge onClick={() => openPanel('break')} />
              {Object.entries(PANELS).map(([name, { label, Icon }]) => (
                <Button
                  key={name}
                  id={`open-${name}`}
                  className="panel-button"
                  aria-label={name === 'outbox' && unsent > 0 ? `${label}, ${unsent} unsent` : label}
                  size="xs"
                  variant={panel === name ? 'filled' : 'default'}
                  aria-pressed={panel === name}
                  leftSection={<Icon size={16} aria-hidden />}
                  rightSection={
                    name === 'outbox' && unsent > 0 ? (
                      <Badge size="sm" circle color={isStuck ? 'red' : 'yellow'} autoContrast>
                        {unsent}
                      </Badge>
                    ) : undefined
                  }
                  onClick={() => (panel === name ? setPanel(undefined) : openPanel(name as PanelName))}
                >
                  {label}
                </Button>
              ))}
              <Tooltip label="Start the tour">
                <ActionIcon
                  variant="default"
                  size="lg"
                  id="start-tour"
                  aria-label="Start the tour"
                  onClick={() => setTouring(true)}
                >
                  <IconRoute size={18} />
                </ActionIcon>
              </Tooltip>
              <SchemeButton />
              <UserMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" aria-label="Main">
          <ScrollArea type="auto" className="above-launcher" flex={1}>
            {PLACES.map(({ to, label, Icon }) => (
              <Place key={to} to={to} label={label} icon={<Icon size={18} aria-hidden />} onClick={close} />
            ))}
            <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4}>
              Projects
            </Text>
            <Boundary
              fallback={[1, 2, 3, 4, 5, 6].map((row) => (
                <Skeleton key={row} h={28} my={10} mx="xs" w="auto" />
              ))}
            >
              <ProjectLinks onClick={close} />
            </Boundary>
          </ScrollArea>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <div className="page" data-panel={panel}>
            {isTouring && <Tour onOpen={openPanel} onClose={stopTour} />}
            {children}
          </div>
        </AppShell.Main>
        <AppShell.Aside aria-label={label} style={{ zIndex: 101 }}>
          {panel && (
            <>
              <Group justify="space-between" px="md" pt="sm" pb="xs">
                <Title order={2} size="h4" id="panel-title" tabIndex={-1} className="quiet-focus">
                  {label}
                </Title>
                <CloseButton aria-label={`Close ${label}`} onClick={closePanel} />
              </Group>
              <ScrollArea type="auto" px="md" pb="md" flex={1} className="above-launcher-if-narrow">
                <Panel />
              </ScrollArea>
            </>
          )}
        </AppShell.Aside>
      </AppShell>
    </RecoveryProvider>
  )
}

/** Calls back on Escape, unless a field, menu or dialog outside the panel uses the key. */
function useEscape(onEscape: (() => void) | undefined): void {
  useEffect(() => {
    if (!onEscape) {
      return undefined
    }
    const listen = (event: KeyboardEvent) => {
      const target = event.target as Element
      const isTaken = target.closest('input, textarea, [role="menu"], [role="dialog"], [role="listbox"]')
      if (event.key === 'Escape' && !event.defaultPrevented && (!isTaken || target.closest('aside'))) {
        onEscape()
      }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
}

function Place({ to, label, icon, onClick }: { to: string; label: string; icon: ReactNode; onClick: () => void }) {
  const [location] = useLocation()
  const isHere = location.startsWith(to)
  return (
    <NavLink
      component={Link}
      href={to}
      label={label}
      leftSection={icon}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      onClick={onClick}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  )
}

function ProjectLinks({ onClick }: { onClick: () => void }) {
  const projects = useSuspense(ProjectResource.getList)
  return projects.map(({ id, name, color, openCount }) => (
    <Place
      key={id}
      to={`/projects/${id}`}
      label={name}
      icon={<ColorSwatch color={color} size={14} withShadow={false} title={`${formatNumber(openCount)} open issues`} />}
      onClick={onClick}
    />
  ))
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const label = isDark ? 'Light theme' : 'Dark theme'
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      >
        {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}

function UserMenu() {
  const controller = useController()
  const send = useSend()
  const { person, kind } = useSuspense(getSession).session
  const leave = async () => {
    await send(signOut)
    await endSession(controller)
  }
  return (
    <Menu position="bottom-end" shadow="md" width={220}>
      <Menu.Target>
        <UnstyledButton aria-label={`Account of ${person.name}`}>
          <Suspense fallback={<Skeleton circle h={38} w={38} />}>
            <Img component={Portrait} src={person.avatar} alt={person.name} />
          </Suspense>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {person.name}, by {kind === 'token' ? 'access token' : 'cookie'}
        </Menu.Label>
        <Menu.Item
          component={Link}
          href={`/issues?assignee=${person.id}&status=open`}
          leftSection={<IconListDetails size={16} />}
        >
          My issues
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
