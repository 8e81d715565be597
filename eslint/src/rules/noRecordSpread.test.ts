import { testRule } from '../../tests/testRule.ts'

const READ = 'const todo = useSuspense(Todos.get, { id: 1 })'

testRule('no-record-spread', {
  above: [
    "import { Entity, resource, RestEndpoint } from 'restitch'",
    "import { useMutation, useQuery, useSuspense } from 'restitch/react'",
    "class Todo extends Entity { id = ''; title = ''; static key = 'Todo'; get short() { return this.title.slice(0, 9) } static get size() { return 1 } }",
    "const Todos = resource({ path: '/todos/:id', schema: Todo })",
    "const getTodo = new RestEndpoint({ path: '/todos/:id', schema: Todo })",
  ].join('; '),
  valid: [
    // Fields are there.
    `const A = () => { ${READ}; const draft = { ...todo, title: 'x' }; return draft.title }`,
    // A body has no use for getters.
    `const A = () => { ${READ}; const { mutate } = useMutation(Todos.update); return () => mutate({ id: todo.id }, { ...todo, title: 'x' }) }`,
    `const A = () => { ${READ}; const draft = { ...todo, short: todo.short }; return draft.short }`,
    `const A = () => { ${READ}; const draft = Todo.fromJS({ ...todo, title: 'x' }); return draft.short }`,
    `const A = () => { ${READ}; let draft = { ...todo }; draft = todo; return draft.short }`,
    `const A = () => { const todos = useSuspense(Todos.getList); const list = { ...todos }; return list.short }`,
    `const A = () => { ${READ}; return todo.short }`,
  ],
  invalid: [
    {
      code: `const A = () => { ${READ}; const draft = { ...todo, title: 'x' }; return draft.short }`,
      errors: ['spread'],
      suggestions: [
        `const A = () => { ${READ}; const draft = Todo.fromJS({ ...todo, title: 'x' }); return draft.short }`,
      ],
    },
    {
      code: 'const A = () => { const draft = { ...useSuspense(getTodo, { id: 1 }) }; return draft.short }',
      errors: ['spread'],
      suggestions: [
        'const A = () => { const draft = Todo.fromJS({ ...useSuspense(getTodo, { id: 1 }) }); return draft.short }',
      ],
    },
    {
      code: 'const A = () => { const todo = useQuery(Todo, { id: 1 }); const draft = { ...todo }; return draft.short }',
      errors: ['spread'],
      suggestions: [
        'const A = () => { const todo = useQuery(Todo, { id: 1 }); const draft = Todo.fromJS({ ...todo }); return draft.short }',
      ],
    },
  ],
})
