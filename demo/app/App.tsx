import { Button, Center, Loader, Skeleton, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useController, useDLE, useMutation } from 'restitch/react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { noFaults, setFaults } from './panels/faults.ts'
import { Boundary, Failed, Nowhere } from './parts/Boundary.tsx'
import { ProjectFrame } from './parts/ProjectFrame.tsx'
import { Shell } from './parts/Shell.tsx'
import { endSession, forgetUser, getSession, hasLeft, signIn } from './resources/session.ts'
import { ActivityScreen } from './screens/ActivityScreen.tsx'
import { Board, BoardSkeleton } from './screens/Board.tsx'
import { Dashboard } from './screens/Dashboard.tsx'
import { IssueDetail, IssueSkeleton } from './screens/IssueDetail.tsx'
import { IssueList, IssueListSkeleton } from './screens/IssueList.tsx'
import { LargeBoard } from './screens/LargeBoard.tsx'
import { People } from './screens/People.tsx'
import { Search } from './screens/Search.tsx'
import { SignIn } from './screens/SignIn.tsx'
import { Stats } from './screens/Stats.tsx'

const GUEST = { email: 'mia.okafor@example.com', password: 'demo', kind: 'cookie' } as const

/** The addresses that sign a guest in: the front door, which leads to a board, and links to a project. */
const GUEST_PLACES = /^\/($|projects\/)/

/** Shows the sign-in until the user has signed in, or lets a guest in. */
export function App() {
  const controller = useController()
  const [place] = useLocation()
  const { data, loading, error } = useDLE(getSession)
  useLostSession(data)
  if (loading || data?.isLost) {
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    )
  }
  if (error) {
    return (
      <Center h="100dvh">
        <Stack>
          <Failed error={error} resetErrorBoundary={() => void controller.fetch(getSession).catch(() => {})} />
          <Button variant="subtle" onClick={() => void controller.fetch(setFaults, noFaults).catch(() => {})}>
            Turn off all faults of “Break it”
          </Button>
        </Stack>
      </Center>
    )
  }
  if (!data.session) {
    return GUEST_PLACES.test(place) && !hasLeft() ? <GuestSignIn /> : <SignIn />
  }
  return (
    <Shell>
      <Switch>
        <Route path="/">
          <Redirect to="/projects/1" replace />
        </Route>
        <Route path="/dashboard">
          <Screen>
            <Dashboard />
          </Screen>
        </Route>
        <Route path="/issues">
          <Screen fallback={<IssueListSkeleton />}>
            <IssueList />
          </Screen>
        </Route>
        <Route path="/issues/:id">
          {({ id }) => (
            <Screen fallback={<IssueSkeleton />}>
              <IssueDetail id={id} />
            </Screen>
          )}
        </Route>
        <Route path="/projects/:id/:tab?">
          {({ id, tab = 'board' }) => (
            <ProjectFrame id={id} tab={tab}>
              <Screen fallback={tab === 'board' ? <BoardSkeleton /> : undefined}>
                {tab === 'activity' ? (
                  <ActivityScreen id={id} />
                ) : tab === 'stats' ? (
                  <Stats id={id} />
                ) : (
                  <Board id={id} />
                )}
              </Screen>
            </ProjectFrame>
          )}
        </Route>
        <Route path="/people">
          <Screen>
            <People />
          </Screen>
        </Route>
        <Route path="/search">
          <Screen>
            <Search />
          </Screen>
        </Route>
        <Route path="/large">
          <Screen>
            <LargeBoard />
          </Screen>
        </Route>
        <Route path="/stats">
          <Screen>
            <Stats />
          </Screen>
        </Route>
        <Route>
          <Nowhere />
        </Route>
      </Switch>
    </Shell>
  )
}

/** When the server has lost the session of the user whose data is in the store, the store is emptied. */
function useLostSession(data: { readonly session?: unknown; readonly isLost: boolean } | undefined): void {
  const controller = useController()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (data?.isLost) {
      // Whoever opens the page again later may be a guest.
      void (wasSignedIn.current ? endSession(controller, true) : forgetUser(controller, false))
    }
    wasSignedIn.current = Boolean(data?.session)
  }, [data, controller])
}

/** Falls back to the form if the guest cannot sign in. */
function GuestSignIn() {
  const { mutate, error } = useMutation(signIn)
  useEffect(() => mutate(GUEST), [mutate])
  return error ? (
    <SignIn />
  ) : (
    <Center h="100dvh">
      <Loader aria-label="Signing in" />
    </Center>
  )
}

/** A boundary for each address: an error of the last screen does not stay. */
function Screen({ fallback = <Waiting />, children }: { fallback?: ReactNode; children: ReactNode }) {
  const [place] = useLocation()
  return (
    <Boundary key={place} fallback={fallback}>
      {children}
    </Boundary>
  )
}

function Waiting() {
  return (
    <Stack>
      <Skeleton h={34} w={220} />
      <Skeleton h={160} />
      <Skeleton h={160} />
    </Stack>
  )
}
