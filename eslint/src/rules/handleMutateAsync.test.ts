import { testRule } from '../../tests/testRule.ts'

const within = (hook: string, body: string): string => `function App() { ${hook}; ${body} }`
const member = (body: string): string => within('const save = useMutation(Todos.update)', body)
const alone = (body: string): string => within('const { mutateAsync } = useMutation(Todos.update)', body)
const both = (body: string): string =>
  within('const { mutate: send, mutateAsync: save } = useMutation(Todos.update)', body)
const fetching = (body: string): string => within('const controller = useController()', body)

testRule('handle-mutate-async', {
  above: "import { createStore } from 'restitch'; import { useController, useMutation } from 'restitch/react'",
  valid: [
    member('return <button onClick={() => save.mutate({ id: 1 })} />'),
    member('const a = async () => { await save.mutateAsync({ id: 1 }) }'),
    member('const a = () => save.mutateAsync({ id: 1 })'),
    member('const a = () => { save.mutateAsync({ id: 1 }).catch(show) }'),
    member('const a = () => { save.mutateAsync({ id: 1 }).then(close, show) }'),
    member('const a = () => { save.mutateAsync({ id: 1 }).then(close).catch(show).finally(close) }'),
    member('const a = () => { void save.mutateAsync({ id: 1 }) }'),
    // An action, or a component, may await it.
    member('return <form action={() => save.mutateAsync({ id: 1 })} />'),
    member('return <Button onClick={() => save.mutateAsync({ id: 1 })} />'),
    member('startTransition(() => save.mutateAsync({ id: 1 }))'),
    within('const save = useOther()', 'save.mutateAsync({ id: 1 })'),
    fetching('const a = async () => { await controller.fetch(Todos.get, { id: 1 }) }'),
    fetching('useEffect(() => { controller.fetchIfStale(Todos.get, { id: 1 }) }, [])'),
    // Tests and scripts may start a request and wait for something else.
    'const { controller } = createStore(); controller.fetch(getTodos)',
    'function App({ controller }) { controller.fetch(getTodos); return <b /> }',
  ],
  invalid: [
    {
      code: member('const a = () => { save.mutateAsync({ id: 1 }) }'),
      errors: ['mutateAsync'],
      output: member('const a = () => { save.mutate({ id: 1 }) }'),
    },
    {
      code: member('return <button onClick={() => save.mutateAsync({ id: 1 })} />'),
      errors: ['mutateAsync'],
      output: member('return <button onClick={() => save.mutate({ id: 1 })} />'),
    },
    {
      code: both('const a = () => { save({ id: 1 }) }'),
      errors: ['mutateAsync'],
      output: both('const a = () => { send({ id: 1 }) }'),
    },
    { code: alone('const a = () => { mutateAsync({ id: 1 }) }'), errors: ['mutateAsync'] },
    { code: alone('const a = () => { mutateAsync({ id: 1 }).then(close) }'), errors: ['mutateAsync'] },
    { code: alone('const a = () => { mutateAsync({ id: 1 }).finally(close) }'), errors: ['mutateAsync'] },
    {
      code: fetching('return <button onClick={() => controller.fetch(Todos.delete, { id: 1 })} />'),
      errors: ['fetch'],
    },
    { code: fetching('const a = () => { controller.fetch(Todos.delete, { id: 1 }) }'), errors: ['fetch'] },
    {
      code: within('const { fetch } = useController()', 'const a = () => { fetch(Todos.delete, { id: 1 }) }'),
      errors: ['fetch'],
    },
  ],
})
