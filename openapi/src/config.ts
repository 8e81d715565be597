/** How the next page of a list is found. */
export type NextPage =
  /** The number of the page counts up. */
  | 'count'
  /** The parameter is the number of items before the page. */
  | 'offset'
  /** The `Link` header of the response. */
  | 'link'
  /** A member of the response holds the cursor: `next_cursor`, or `meta.next`; while another one is true. */
  | { readonly cursor: string; readonly while?: string }
  /** A member of the response holds the URL of the next page. */
  | { readonly url: string }
  /** The key of the last item is the cursor, while a member of the response is true. */
  | { readonly last: string; readonly while?: string }

/** Members of the response that say that a page is the last one. Without them, a page without items ends the list. */
export interface PagesEnd {
  /** The number of all items. */
  readonly total?: string
  /** A number that may be that of all items, or of those of the page. */
  readonly count?: string
  /** The number of items of a full page: a member of the response. */
  readonly size?: string
  /** The same: a query parameter, its value where it is not sent, and the most that the server allows. */
  readonly sizeField?: { readonly field: string; readonly default: number; readonly most?: number }
  /** The number of pages. */
  readonly pages?: string
  /** True while there is a further page. */
  readonly more?: string
  /** True for the last page. */
  readonly last?: string
}

/** The pages of a list: the query parameter that names a page, and how the next one is found. */
export interface PagesConfig {
  /** The query parameter. A list without it follows the URL of the next page as a whole. */
  readonly field?: string
  readonly next: NextPage
  /** For `count` and `offset`: the number of the first page or item, if it is not the usual one (1 and 0). */
  readonly first?: number
  /** For `count`: the member of the response that holds the number of its page. */
  readonly after?: string
  /** For `count` and `offset`: the members that say that a page is the last one. */
  readonly end?: PagesEnd
}

/** The options of an operation. It is named by its `operationId`, or by method and path: `GET /pets/{petId}`. */
export interface OperationConfig {
  /** The name of its endpoint, or of the member of its resource. */
  readonly name?: string
  /** `false`: an endpoint of its own, although it could be a member of a resource. */
  readonly resource?: false
  /** The pages of a list; `false` if it has none. */
  readonly pages?: PagesConfig | false
  /** The member of the response that holds the record or the list, as `data.items`; `false` if the response has no envelope. */
  readonly envelope?: string | false
}

/** The options of a schema under `components.schemas`. */
export interface EntityConfig {
  /** The field that identifies a record, as `id` or `metadata.uid`; several together if one is not enough. */
  readonly key?: string | readonly string[]
  /** Path parameters that belong to the key, because it is unique only among them. */
  readonly scope?: readonly string[]
  /** The table of its records. Schemas with the same table are several forms of one record. */
  readonly table?: string
}

/**
 * The names of a description: a file that `--types` writes declares them, and the configuration is checked by the compiler.
 *
 * @example
 * declare module 'restitch-openapi' { interface Names { operation: 'listOrders'; schema: 'Order'; path: '/orders'; tag: 'orders' } }
 */
export interface Names {}

type Name<K extends string> = K extends keyof Names ? Names[K] : string

/** Values by names of the description. */
type By<K extends string, V> = K extends keyof Names
  ? { readonly [N in Names[K] & string]?: V }
  : { readonly [name: string]: V }

/** How requests are authorised. */
export type AuthConfig =
  | { readonly type: 'bearer' | 'basic' | 'cookie' }
  | { readonly type: 'header' | 'query'; readonly name: string }

/**
 * The configuration: `restitch.openapi.ts`. Each member overrides what would be inferred.
 *
 * @example
 * export default defineConfig({ input: 'openapi.yaml', output: 'src/api', entities: { Money: false } })
 */
export interface Config {
  /** A file or an address. */
  readonly input?: string
  /** The folder of the generated files. */
  readonly output?: string
  /** Headers for a remote description. */
  readonly headers?: Readonly<Record<string, string>>
  /** Goes on if the description has faults. */
  readonly lenient?: boolean
  /** `$ref` may lead to other hosts, and to files outside the folder of the description. */
  readonly external?: boolean
  /** The address before each path; without it the first server of the description. `false` if your `baseClass` has it. */
  readonly baseUrl?: string | false
  /** A class of your own that the class of all endpoints extends: its name, and where `api.ts` imports it from. */
  readonly baseClass?: { readonly name: string; readonly from: string }
  /** Schemas that are entities, or `false` for those that are not. */
  readonly entities?: By<'schema', false | EntityConfig>
  /** Operations by `operationId`, or by method and path; `false` leaves one out. */
  readonly operations?: By<'operation', false | OperationConfig>
  /** Names of types and classes, by schema. */
  readonly names?: By<'schema', string>
  /** Resources by the path of an item or of its list, with the name of each; `false` makes endpoints of their own. */
  readonly resources?: By<'path', false | string>
  /** Tags to leave out. */
  readonly skipTags?: readonly Name<'tag'>[]
  /** The pages of all lists that have the parameter; `false` for none. */
  readonly pages?: PagesConfig | false
  /** The member of responses that holds the record or the list; `false` for none. */
  readonly envelope?: string | false
  /** How requests are authorised; `false` for not at all. */
  readonly auth?: AuthConfig | false
  /** `camel`: `created_at` is `createdAt` in your code. */
  readonly casing?: 'keep' | 'camel'
  /** `false` keeps dates as text. */
  readonly dates?: boolean
  /** `zod`: responses and bodies are checked by zod schemas. */
  readonly validation?: 'zod'
  /** Writes `mocks.ts`: typed factories of records, and fixtures. */
  readonly mocks?: boolean
  /** A file that declares the names of the description, which then types this configuration. */
  readonly types?: string
  /** A JSON file that says which endpoint has which URL. */
  readonly map?: string
  /** Writes over the code of another description. */
  readonly force?: boolean
  /** The end of import paths: `.js` or `.ts` where the compiler wants one. Without it, tsconfig.json decides. */
  readonly importExtension?: '' | '.js' | '.ts'
  /** Formats the text of a file, for example with Prettier. */
  readonly format?: (text: string, file: string) => string | Promise<string>
}

/**
 * Types a configuration; it returns its argument.
 *
 * @example
 * export default defineConfig({ input: 'openapi.yaml', output: 'src/api' })
 */
export function defineConfig(config: Config): Config {
  return config
}
