import { testRule } from '../../tests/testRule.ts'

const using = (args: string, hook = 'useSuspense'): string => `const useIt = (id, params) => ${hook}(getTodo, ${args})`

testRule('no-non-null-args', {
  above: "import { useDLE, useMutation, useSuspense } from 'restitch/react'",
  valid: [
    using('{ id }'),
    using('id == null ? null : { id }'),
    using('null'),
    using("{ q: q ?? '' }"),
    using('{ id: issue.pk()! }'),
    using("{ id: id ?? 'me' }"),
    using('{ ...params! }'),
    'const useIt = (id) => other(getTodo, { id: id! })',
    'const useIt = (id) => useMutation(getTodo, { id: id! })',
  ],
  invalid: [
    { code: using('{ id: id! }'), errors: ['missing'], suggestions: [using('id == null ? null : { id }')] },
    {
      code: using('{ id: params.id! }', 'useDLE'),
      errors: ['missing'],
      suggestions: [using('params.id == null ? null : { id: params.id }', 'useDLE')],
    },
    {
      code: using("{ userId: id ?? '' }"),
      errors: ['missing'],
      suggestions: [using('id == null ? null : { userId: id }')],
    },
    { code: using("{ id: id || '' }"), errors: ['missing'], suggestions: [using('id == null ? null : { id }')] },
    {
      code: using('{ id: id!, page: 1, team: params.team! }'),
      errors: ['missing', 'missing'],
      suggestions: Array<string>(2).fill(
        using('id == null || params.team == null ? null : { id, page: 1, team: params.team }'),
      ),
    },
  ],
})
