/**
 * The parameters of a path template; `unknown` when it has none, so that it vanishes in an intersection.
 *
 * @example
 * type Args = PathArgs<'/repos/:owner{/:name}'> // { owner: string | number; name?: string | number | undefined }
 * @see docs/api/paths.md#pathargs
 */
export type PathArgs<S extends string> = string extends S
  ? AnyParams
  : // Most templates hold nothing but plain `:name`s, which can be read in a few steps instead of one for each character.
    S extends `${string}${Special}${string}`
    ? Build<Scan<S>>
    : Plain<S, S>

/**
 * The names of the parameters of a path template.
 *
 * @example
 * type Names = PathKeys<'/repos/:owner{/:name}'> // 'owner' | 'name'
 * @see docs/api/paths.md#pathkeys
 */
export type PathKeys<S extends string> = string extends S ? string : keyof PathArgs<S>

/** Replaces a template that cannot be parsed; the compiler shows `reason`. */
export interface BrokenPath<M extends string> {
  readonly reason: M
}

/** Parameters of a template that is not known to the compiler. */
export interface AnyParams {
  readonly [name: string]: any
}

/**
 * A template without its last parameter, and without what follows it.
 *
 * @example
 * type List = ShortenPath<'/users/:id'> // '/users'
 * @see docs/api/paths.md#shortenpath
 */
export type ShortenPath<S extends string> = string extends S
  ? string
  : S extends `${string}${Special}${string}`
    ? Cut<S>
    : CutPlain<S>

/** The parameters of a template: required names, optional names, and which of them are wildcards. */
interface Found<R, O, W> {
  required: R
  optional: O
  wildcard: W
}

type Plain<All extends string, S extends string, R extends string = never> = S extends `${string}:${infer T}`
  ? T extends `${infer N}/${infer U}`
    ? N extends Unclean
      ? Build<Scan<All>>
      : Plain<All, U, R | N>
    : T extends Unclean
      ? Build<Scan<All>>
      : { [K in R | T]: string | number }
  : [R] extends [never]
    ? unknown
    : { [K in R]: string | number }

type Scan<S extends string, D extends 0[] = [], R = never, O = never> = S extends `${infer C}${infer T}`
  ? C extends ':'
    ? Name<T> extends [infer N extends string, infer U extends string]
      ? N extends ''
        ? BrokenPath<'a name must follow ":"'>
        : D extends []
          ? Scan<U, D, R | N, O>
          : Scan<U, D, R, O | N>
      : BrokenPath<'a quoted name is not closed'>
    : C extends '*'
      ? Name<T> extends [infer N extends string, infer U extends string]
        ? N extends ''
          ? BrokenPath<'a name must follow "*"'>
          : D extends []
            ? Close<U, D, Found<R | N, O, N>>
            : Close<U, D, Found<R, O | N, N>>
        : BrokenPath<'a quoted name is not closed'>
      : C extends '{'
        ? Scan<T, [0, ...D], R, O>
        : C extends '}'
          ? D extends [0, ...infer E extends 0[]]
            ? Scan<T, E, R, O>
            : BrokenPath<'"}" closes nothing; write "\\\\}" for the character'>
          : C extends '\\'
            ? T extends `${string}${infer U}`
              ? Scan<U, D, R, O>
              : BrokenPath<'"\\\\" escapes nothing'>
            : C extends '(' | ')'
              ? BrokenPath<`"${C}" has no meaning; write "\\\\${C}" for the character`>
              : Scan<T, D, R, O>
  : D extends []
    ? Found<R, O, never>
    : BrokenPath<'"{" is not closed'>

/** After a wildcard only groups may close. */
type Close<S extends string, D extends 0[], F> = S extends ''
  ? D extends []
    ? F
    : BrokenPath<'"{" is not closed'>
  : S extends `}${infer T}`
    ? D extends [0, ...infer E extends 0[]]
      ? Close<T, E, F>
      : BrokenPath<'"}" closes nothing; write "\\\\}" for the character'>
    : BrokenPath<'a *wildcard must come last'>

/** A name and the text after it. */
type Name<S extends string> = S extends `"${infer T}` ? Quoted<T> : S extends `${Digit}${string}` ? ['', S] : Bare<S>

type Bare<S extends string, N extends string = ''> = S extends `${infer C}${infer T}`
  ? C extends End
    ? [N, S]
    : Bare<T, `${N}${C}`>
  : [N, '']

type Quoted<S extends string, N extends string = ''> = S extends `${infer C}${infer T}`
  ? C extends '"'
    ? [N, T]
    : C extends '\\'
      ? T extends `${infer E}${infer U}`
        ? Quoted<U, `${N}${E}`>
        : never
      : Quoted<T, `${N}${C}`>
  : 0

type Build<T> =
  T extends Found<infer R extends string, infer O extends string, infer W>
    ? [O] extends [never]
      ? [R] extends [never]
        ? unknown
        : { [K in R]: K extends W ? string[] : string | number }
      : Flat<
          { [K in R]: K extends W ? string[] : string | number } & {
            [K in Exclude<O, R>]?: (K extends W ? string[] : string | number) | undefined
          }
        >
    : T

// Through `infer`, so that messages show the shape and not this name.
type Flat<T> = T extends infer U ? { [K in keyof U]: U[K] } : never

type CutPlain<S extends string, Done extends string = ''> = S extends `${infer H}:${infer T}`
  ? T extends `${string}:${string}`
    ? CutPlain<T, `${Done}${H}:`>
    : Extended<`${Done}${H}`, T>
  : never

/** The path of a list keeps the extension of its items: `/issues/:id.json` belongs to `/issues.json`. */
type Extended<Before extends string, After extends string> = Before extends `${string}/`
  ? Trim<Before> extends '' | `${string}/`
    ? Trim<Before>
    : After extends `${string}.${infer E}`
      ? E extends '' | `${string}${'/' | '.' | '?' | '#' | '\\' | '{' | '}' | '*' | ':'}${string}`
        ? Trim<Before>
        : `${Trim<Before>}.${E}`
      : Trim<Before>
  : Trim<Before>

/** Kept: the text before the last parameter, or before the group it stands in. Open: the groups around, innermost last. */
type Cut<
  S extends string,
  Done extends string = '',
  Open extends string[] = [],
  Kept extends string = never,
> = S extends `${infer C}${infer T}`
  ? C extends ':' | '*'
    ? NameText<T> extends [infer N extends string, infer U extends string]
      ? Cut<
          U,
          `${Done}${C}${N}`,
          Open,
          Open extends [...infer E extends string[], infer G extends string]
            ? `${Trim<G>}${Braces<E>}`
            : Extended<Done, U>
        >
      : never
    : C extends '\\'
      ? T extends `${infer E}${infer U}`
        ? Cut<U, `${Done}${C}${E}`, Open, Kept>
        : never
      : Cut<T, `${Done}${C}`, C extends '{' ? [...Open, Done] : C extends '}' ? Tail<Open> : Open, Kept>
  : Kept

/** A name as it is written, and the text after it. */
type NameText<S extends string> = S extends `"${infer T}` ? QuotedText<T, '"'> : ['', S]

type QuotedText<S extends string, N extends string> = S extends `${infer C}${infer T}`
  ? C extends '"'
    ? [`${N}"`, T]
    : C extends '\\'
      ? T extends `${infer E}${infer U}`
        ? QuotedText<U, `${N}${C}${E}`>
        : never
      : QuotedText<T, `${N}${C}`>
  : never

type Braces<E extends string[], B extends string = ''> = E extends [string, ...infer T extends string[]]
  ? Braces<T, `${B}}`>
  : B

type Tail<E extends string[]> = E extends [...infer T extends string[], string] ? T : []

type Trim<S extends string> = S extends '/'
  ? S
  : S extends `${infer T}/`
    ? T extends `${infer U}\\`
      ? U extends `${string}\\`
        ? T
        : U
      : T
    : S

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
type Special = '{' | '}' | '*' | '\\' | '"' | '(' | ')'
/** ASCII characters that cannot be part of a bare name. */
type End =
  | Special
  | '/'
  | '.'
  | '-'
  | '~'
  | '!'
  | '#'
  | '%'
  | '&'
  | "'"
  | '+'
  | ','
  | ':'
  | ';'
  | '<'
  | '='
  | '>'
  | '?'
  | '@'
  | '['
  | ']'
  | '^'
  | '`'
  | '|'
  | ' '
type Unclean = '' | `${Digit}${string}` | `${string}${End}${string}`
