import { testRule } from '../../tests/testRule.ts'

const of = (field: string): string => `class Todo extends Entity { ${field}; static key = 'Todo' }`

testRule('entity-default', {
  above: "import { Entity } from 'restitch'",
  valid: [
    of("id = ''"),
    of('due: Date | undefined = undefined'),
    of('owner = User.fromJS()'),
    // The value that is read is one that the type allows.
    of('due: Date | undefined'),
    of('note?: string'),
    of('anything'),
    of('static token: string'),
    'abstract class Base extends Entity { abstract kind: string }',
    // The class above declares the field.
    "class Todo extends Entity { owner = User.fromJS(); static key = 'Todo' } class Special extends Todo { declare owner: Admin }",
    'class Todo { id!: string }',
    'class Todo extends Model { id!: string }',
    "class Todo extends Entity { id = ''; #seen: boolean; static key = 'Todo' }",
  ],
  invalid: [
    { code: of('id!: string'), errors: ['missing'], suggestions: [of("id = ''")] },
    { code: of('id: string'), errors: ['missing'], suggestions: [of("id = ''")] },
    { code: of('public readonly votes: number'), errors: ['missing'], suggestions: [of('public readonly votes = 0')] },
    { code: of('done!: boolean'), errors: ['missing'], suggestions: [of('done = false')] },
    { code: of('tags!: string[]'), errors: ['missing'], suggestions: [of('tags: string[] = []')] },
    { code: of('due!: Date'), errors: ['missing'], suggestions: [of('due = new Date(0)')] },
    { code: of('due: Date | null'), errors: ['missing'], suggestions: [of('due: Date | null = null')] },
    { code: of('due!: Date | undefined'), errors: ['missing'], suggestions: [of('due: Date | undefined = undefined')] },
    { code: of("kind: 'a' | 'b'"), errors: ['missing'] },
    { code: of('owner!: User'), errors: ['missing'] },
    { code: of('declare id: string'), errors: ['declared'], suggestions: [of("id = ''")] },
    {
      code: of('declare note?: string'),
      errors: ['declared'],
      suggestions: [of('note: string | undefined = undefined')],
    },
  ],
})
