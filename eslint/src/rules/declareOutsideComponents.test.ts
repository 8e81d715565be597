import { testRule } from '../../tests/testRule.ts'

testRule('declare-outside-components', {
  above:
    "import { All, Collection, createStore, Entity, Query, resource, RestEndpoint } from 'restitch'; import { useQuery } from 'restitch/react'",
  valid: [
    "export const Todos = resource({ path: '/todos/:id', schema: Todo })",
    "export class Todo extends Entity { id = '' }",
    // Made once for a component, or when something happens.
    'function App() { const [store] = useState(() => createStore()); return <Provider store={store} /> }',
    'function App({ id }) { const own = useMemo(() => new Query(todos, (list) => list.length), [id]); return <b>{useQuery(own)}</b> }',
    "function App() { return <button onClick={() => send(new RestEndpoint({ path: '/x' }))} /> }",
    // Functions that make them for others are no components.
    'function makeResource(path) { return resource({ path, schema: Todo }) }',
    'export function Model(Base) { return class extends Entity { id = "" } }',
    'const useless = resource({})',
    "import { resource as other } from 'other'; function App() { other(); return <b /> }",
    // A Collection that only a function of a server module needs.
    "'use server'; export async function load() { return createStore().controller.fetch(getTodos) }",
  ],
  invalid: [
    {
      code: "function App() { const Todos = resource({ path: '/todos/:id', schema: Todo }); return <List of={Todos} /> }",
      errors: ['component'],
    },
    {
      code: "const App = memo(() => { const getTodos = new RestEndpoint({ path: '/todos' }); return <List of={getTodos} /> })",
      errors: ['component'],
    },
    {
      code: 'function App() { class Todo extends Entity { id = "" } return <List of={Todo} /> }',
      errors: ['component'],
    },
    { code: 'function App() { return <Provider store={createStore()} /> }', errors: ['component'] },
    {
      code: 'function useCount() { return useQuery(new Query(new All(Todo), (list) => list.length)) }',
      errors: ['component'],
    },
    {
      code: 'export default defineComponent({ setup() { const store = createStore(); return { store } } })',
      errors: ['component'],
    },
    {
      code: 'export const App = defineComponent(() => { const store = createStore(); return () => h(store) })',
      errors: ['component'],
    },
  ],
})

testRule('declare-outside-components', {
  above: "'use server'; import { Entity, resource } from 'restitch'",
  valid: ['export async function load() { return 1 }'],
  invalid: [
    { code: "const Todos = resource({ path: '/todos/:id', schema: Todo })", errors: ['server'] },
    { code: 'class Todo extends Entity { id = "" }', errors: ['server'] },
  ],
})
