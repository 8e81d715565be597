import { testRule } from '../../tests/testRule.ts'

testRule('entity-key', {
  above:
    "import { Entity, EntityMixin, resource, schema } from 'restitch'; import { GQLEntity } from 'restitch/graphql'",
  valid: [
    "class Todo extends Entity { id = ''; static key = 'Todo' }",
    "class Todo extends Entity { id = ''; static override readonly key = 'Todo' }",
    "class Todo extends Entity { id = ''; static get key() { return 'Todo' } }",
    "class Todo extends Entity { id = ''; static { this.key = 'Todo' } }",
    "class Todo extends Entity { id = '' } Todo.key = 'Todo'",
    // The key of the class above belongs to both.
    "class Todo extends Entity { id = ''; static key = 'Todo' } class Detail extends Todo { text = '' }",
    // A base class that others share is no kind of record.
    "abstract class Base extends Entity { id = '' }",
    "class Base extends Entity { id = '' } class Todo extends Base { title = ''; static key = 'Todo' }",
    'export class Base extends Entity { pk() { return this.slug } }',
    "class Todo extends Model { id = '' }",
    "class Todo { id = '' }",
    'const entity = (id) => class extends Entity { id = id }',
    { code: "class Entity2 {} class Todo extends Entity2 { id = '' }", filename: 'a.js' },
  ],
  invalid: [
    {
      code: "export class Todo extends Entity {\n  id = ''\n  title = ''\n\n  get short() { return this.title }\n}",
      errors: ['missing'],
      suggestions: [
        "export class Todo extends Entity {\n  id = ''\n  title = ''\n  static override key = 'Todo'\n\n  get short() { return this.title }\n}",
      ],
    },
    {
      code: "class Todo extends Entity {\n  id = '';\n}\nresource({ path: '/todos/:id', schema: Todo })",
      errors: ['missing'],
      output:
        "class Todo extends Entity {\n  id = '';\n  static override key = 'Todo';\n}\nresource({ path: '/todos/:id', schema: Todo })",
    },
    {
      code: "class Todo extends Entity { id = '' }\nresource({ path: '/todos/:id', schema: [Todo] })",
      filename: 'a.js',
      errors: ['missing'],
      output:
        "class Todo extends Entity { id = ''; static key = 'Todo'; }\nresource({ path: '/todos/:id', schema: [Todo] })",
    },
    {
      code: "const Todo = class extends schema.Entity {\n  id = ''\n}",
      errors: ['missing'],
      suggestions: ["const Todo = class extends schema.Entity {\n  id = ''\n  static override key = 'Todo'\n}"],
    },
    {
      code: "abstract class Base extends GQLEntity { id = '' }\nclass Todo extends Base {\n  title = ''\n}",
      errors: ['missing'],
      suggestions: [
        "abstract class Base extends GQLEntity { id = '' }\nclass Todo extends Base {\n  title = ''\n  static override key = 'Todo'\n}",
      ],
    },
  ],
})
