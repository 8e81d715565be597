import {
  Alert,
  Avatar,
  Button,
  Center,
  Group,
  Paper,
  PasswordInput,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
  UnstyledButton,
} from '@mantine/core'
import { useState } from 'react'
import { useController, useDLE, useLoading, useSuspense } from 'restitch/react'
import { Boundary } from '../parts/Boundary.tsx'
import { Logo } from '../parts/Logo.tsx'
import { fieldErrors } from '../parts/fieldErrors.ts'
import { getSession, getWelcome, type Session, signIn } from '../resources/session.ts'

export function SignIn() {
  const controller = useController()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('demo')
  const [kind, setKind] = useState<Session['kind']>('cookie')
  const [enter, isEntering, error] = useLoading(
    (as: string) => controller.fetch(signIn, { email: as, password, kind }),
    [password, kind],
  )
  const errors = fieldErrors(error)
  const { data } = useDLE(getSession)
  const hasExpired = data?.hasExpired ?? false
  return (
    <Center component="main" mih="100dvh" p="md" pb={64}>
      <Paper withBorder shadow="sm" p="xl" w={420} maw="100%">
        <Group gap="xs" mb="lg">
          <Logo />
          <Title order={1} size="h3">
            Sign in to Tracker
          </Title>
        </Group>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void enter(email)
          }}
        >
          <Stack gap="sm">
            {hasExpired && !error && (
              <Alert title="Your session has ended" role="status">
                The server responded with 401, as it does after “401 now”. The store is empty: no data of the last user
                is left in this page. Sign in again to continue at the same address.
              </Alert>
            )}
            {error && !errors && (
              <Alert color="red" title="Sign-in failed" role="alert">
                {error.message}
              </Alert>
            )}
            <TextInput
              label="E-mail"
              type="email"
              autoComplete="username"
              value={email}
              error={errors?.email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
            <PasswordInput
              label="Password"
              description="The password of every user is “demo”."
              autoComplete="current-password"
              value={password}
              error={errors?.password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <SegmentedControl
              aria-label="Kind of session"
              fullWidth
              value={kind}
              onChange={(value) => setKind(value as Session['kind'])}
              data={[
                { value: 'cookie', label: 'Cookie' },
                { value: 'token', label: 'Access token' },
              ]}
            />
            <Button type="submit" loading={isEntering}>
              Sign in
            </Button>
          </Stack>
        </form>
        <Text size="sm" c="dimmed" mt="lg" mb="xs">
          Or sign in as:
        </Text>
        <Boundary fallback={<Skeleton h={156} />}>
          <Welcome onPick={(as) => void enter(as)} />
        </Boundary>
      </Paper>
    </Center>
  )
}

function Welcome({ onPick }: { onPick: (email: string) => void }) {
  const people = useSuspense(getWelcome)
  return (
    <Stack gap={4}>
      {people.slice(0, 4).map(({ id, name, email, avatar }) => (
        <UnstyledButton key={id} className="editable" style={{ margin: 0 }} onClick={() => onPick(email)}>
          <Group gap="sm" wrap="nowrap">
            <Avatar src={avatar} alt="" size="sm" />
            <div>
              <Text size="sm">{name}</Text>
              <Text size="xs" c="dimmed">
                {email}
              </Text>
            </div>
          </Group>
        </UnstyledButton>
      ))}
    </Stack>
  )
}
