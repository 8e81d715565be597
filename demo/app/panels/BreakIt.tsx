import { Alert, Button, Divider, Group, Skeleton, Slider, Stack, Switch, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconLogout, IconPlugConnectedX } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useController, useLoading } from 'restitch/react'
import { endSessions, type FaultFields, type Faults, setFaults } from './faults.ts'
import { type Preset, presets, type Range, ranges, toggles } from './presets.ts'
import { useFaults } from './useFaults.ts'
import classes from './BreakIt.module.css'

/** Switches on the server that make it slow, faulty or silent. */
export function BreakIt(): ReactNode {
  const faults = useFaults()
  return faults ? <Switches faults={faults} /> : <Waiting />
}

function Switches({ faults }: { faults: Faults }): ReactNode {
  const controller = useController()
  const [change, , error] = useLoading(
    (fields: Partial<FaultFields>) => controller.fetch(setFaults, fields),
    [controller],
  )
  return (
    <Stack gap="lg">
      <Status faults={faults} />
      {error && (
        <Alert color="red" icon={<IconAlertTriangle />} title="The setting was not changed">
          {error.message}
        </Alert>
      )}
      <div className={classes['presets']} role="group" aria-label="Presets">
        {presets.map((preset) => (
          <PresetButton key={preset.name} preset={preset} faults={faults} onPick={change} />
        ))}
      </div>
      <Divider />
      {ranges.map((range) => (
        <FaultSlider key={range.field} range={range} value={faults[range.field]} onChange={change} />
      ))}
      <Divider />
      {toggles.map(({ field, label, watch }) => (
        <Switch
          key={field}
          label={label}
          description={watch}
          checked={faults[field]}
          onChange={({ currentTarget }) => void change({ [field]: currentTarget.checked })}
        />
      ))}
      <Divider />
      <SignOut />
    </Stack>
  )
}

function Status({ faults }: { faults: Faults }): ReactNode {
  const { isQuiet, offline } = faults
  const Icon = isQuiet ? IconCircleCheck : offline ? IconPlugConnectedX : IconAlertTriangle
  const broken = [
    ...ranges
      .filter(({ field }) => faults[field])
      .map(({ field, label, format }) => `${label} ${format(faults[field])}`),
    ...toggles.filter(({ field }) => faults[field]).map(({ label }) => label),
  ]
  return (
    <Alert color={isQuiet ? 'teal' : offline ? 'red' : 'orange'} icon={<Icon />} p="sm" role="status">
      {isQuiet ? 'The server works normally. Break something, then keep using the app.' : broken.join(' · ')}
    </Alert>
  )
}

interface PresetProps {
  readonly preset: Preset
  readonly faults: Faults
  readonly onPick: (fields: FaultFields) => Promise<unknown>
}

function PresetButton({ preset, faults, onPick }: PresetProps): ReactNode {
  const isOn = (Object.keys(preset.faults) as (keyof FaultFields)[]).every(
    (name) => preset.faults[name] === faults[name],
  )
  return (
    <UnstyledButton className={classes['preset']} aria-pressed={isOn} onClick={() => void onPick(preset.faults)}>
      <Text fw={600} size="sm">
        {preset.name}
      </Text>
      <Text size="xs" className={classes['watch']}>
        {preset.watch}
      </Text>
    </UnstyledButton>
  )
}

interface FaultSliderProps {
  readonly range: Range
  readonly value: number
  readonly onChange: (fields: Partial<FaultFields>) => Promise<unknown>
}

function FaultSlider({ range, value, onChange }: FaultSliderProps): ReactNode {
  const { field, label, watch, max, step, format } = range
  const id = useId()
  // Only while it is dragged; afterwards the server's value is shown again.
  const [draft, setDraft] = useState<number>()
  const shown = draft ?? value
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="sm" className={classes['value']}>
          {format(shown)}
        </Text>
      </Group>
      <Text size="xs" className={classes['watch']} id={id} mb={6}>
        {watch}
      </Text>
      <Slider
        value={shown}
        min={0}
        max={max}
        step={step}
        label={format}
        thumbLabel={label}
        aria-describedby={id}
        onChange={setDraft}
        onChangeEnd={(end) => {
          // Optimistic: from here on the store has the new value, or the old one after a failure.
          void onChange({ [field]: end })
          setDraft(undefined)
        }}
      />
    </div>
  )
}

function SignOut(): ReactNode {
  const controller = useController()
  const [end, isEnding] = useLoading(async () => {
    await controller.fetch(endSessions)
    // Refetches everything on the screen; the response is 401.
    await controller.expireAll({ testKey: () => true })
  }, [controller])
  return (
    <div>
      <Button
        fullWidth
        color="red"
        variant="light"
        leftSection={<IconLogout size={18} />}
        loading={isEnding}
        onClick={() => void end()}
      >
        Sign everyone out (401 now)
      </Button>
      <Text size="xs" className={classes['watch']} mt={6}>
        The server deletes all sessions, so the next request fails with 401. You return to the sign-in screen, and the
        store is empty.
      </Text>
    </div>
  )
}

function Waiting(): ReactNode {
  return (
    <Stack gap="lg" aria-busy aria-label="Loading the settings">
      <Skeleton h={44} />
      <Skeleton h={150} />
      <Skeleton h={180} />
    </Stack>
  )
}
