import { testRule } from '../../tests/testRule.ts'

const within = (body: string): string =>
  `function App({ id, other }) { const controller = useController(); const todo = useSuspense(Todos.get, { id }); ${body} }`

testRule('no-record-spread', {
  above:
    "import { createStore } from 'restitch'; import { useController, useMutation, useSuspense } from 'restitch/react'; import { Todo, Todos } from './todos'",
  valid: [
    within('controller.set(Todo, { id }, { done: true })'),
    within('controller.set(Todo, { id }, (todo) => ({ ...todo, done: !todo.done }))'),
    within('controller.set(Todo, { id }, { ...other, done: true })'),
    within('controller.set(Todo, { ...todo }, { done: true })'),
    // A body, the state of a form, and a value of one's own.
    within('const { mutate } = useMutation(Todos.update); return () => mutate({ id }, { ...todo, done: true })'),
    within('return () => controller.fetch(Todos.update, { id }, { ...todo, done: true })'),
    within('const [draft, setDraft] = useState({ ...todo })'),
    within('const draft = { ...todo, title: "x" }; show(draft.title)'),
    within('map.set(todo.id, { ...todo, done: true })'),
    'const save = Todos.update.extend({ getOptimisticResponse: (snapshot, { id }) => ({ ...snapshot.get(Todo, { id }), done: true }) })',
  ],
  invalid: [
    {
      code: within('controller.set(Todo, { id }, { ...todo, done: true })'),
      errors: ['spread'],
      suggestions: [within('controller.set(Todo, { id }, { done: true })')],
    },
    {
      code: 'const { controller } = createStore(); controller.set(Todo, { id }, { id, ...controller.get(Todo, { id }), done: true })',
      errors: ['spread'],
      suggestions: ['const { controller } = createStore(); controller.set(Todo, { id }, { id, done: true })'],
    },
    { code: within('controller.set(Todo, { id }, { id, ...todo })'), errors: ['spread'] },
    { code: within('controller.setResponse(Todos.get, { id }, { ...todo, done: true })'), errors: ['spread'] },
  ],
})
