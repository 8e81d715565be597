import type { Reason } from '../rows/doubt.ts'

/** The names in the sentence of a doubt. */
export interface Named {
  /** The request or call that brought the doubt. */
  readonly by: string
  /** The records in doubt; of a response without records, its data. */
  readonly what: string
  /** The request or call of the write behind it, where another one than `by` is known. */
  writeOf(): string | undefined
}

/** For each reason a sentence. `explain` and the devtools show it; the store keeps nothing but the reason. */
const SENTENCES: Readonly<Record<Reason, string>> = {
  'unknown-argument':
    '{by} changed a record, and only the server knows whether it belongs to the list: an argument of the list is no field of the record.',
  'empty-list':
    '{by} changed a record, and only the server knows whether it belongs to the list: the list is empty, so no item tells what its arguments mean.',
  'other-arguments':
    '{by} took a record out of the lists that its arguments name, and only the server knows whether this list is one of them: it lacks such an argument.',
  'new-record':
    '{by} wrote a record that was not known before, and only the server knows whether it belonged to the list already.',
  'was-in-doubt': '{by} changed a record that was in doubt already, and its response does not settle that.',
  'read-since':
    '{by} changed a record that a read had changed since the list was requested, and only the server knows whether the list had it.',
  overtaken:
    '{by} changed a record, and a read brought the change before its response did: only the server knows whether the list had the record.',
  sorted: '{by} changed a record of a sorted list, and only the server knows where in the list it stands now.',
  cut: '{by} changed a record of a list that has more items than the server has sent, and only the server knows which of them move.',
  'more-pages':
    '{by} changed a record of a list with further pages, and only the server knows which items move from page to page.',
  unnamed: '{by} changed a record that joins a map, and only the server knows under which name.',
  'other-path':
    '{by} added a record, and only the server knows whether it adds it to a list of another path than its own.',
  counted: '{by} changed a record, and only the server knows whether a number beside the list counts it.',
  'unknown-items':
    '{by} changed a record, and the list was restored: what its items are is not known before a reader shows it.',
  'arrived-meanwhile':
    'The list arrived while {by} was in flight, and only the server knows whether the list has the change already.',
  crossed:
    '{by} and {write} crossed: both were in flight at the same time, and only the server knows which was done last for {what}.',
  'former-life':
    '{by} was sent before a delete of {what}, which is there again, and only the server knows which of its fields are still right.',
  'lacks-own-write': '{by} was sent before {write} had succeeded, and its response lacks the change.',
  'torn-pages': '{by} brought a page that does not fit the pages beside it: only the server knows what stands between.',
  'no-record': '{by} returned no record, and only the server knows what it did to {what}.',
  'no-outcome': '{by} failed, and only the server knows whether it was done.',
  expired: '{by} marked it stale.',
  collected: 'The garbage collector removed a record that it contains.',
  restored: 'It was in doubt already when its state was stored.',
}

/** A doubt as a sentence. */
export function doubtText(reason: Reason, { by, what, writeOf }: Named): string {
  const words = {
    by: () => by,
    what: () => what,
    write: () => writeOf() ?? (reason === 'lacks-own-write' ? 'a write' : 'another request'),
  }
  return SENTENCES[reason].replace(/\{(by|what|write)\}/g, (_, name: keyof typeof words) => words[name]())
}
