import type { FetchFact, FieldsFact, FreshnessFact, ReadersFact } from '../advice/Explanation.ts'
import { ago } from '../explain/explainText.ts'
import type { TabContext } from './Tab.ts'
import { type Child, h, tag } from './dom.ts'
import { explanationBar } from './explanationBar.ts'
import { plural } from './keys.ts'
import { sentence } from './sentence.ts'

/** A question, and the paragraphs of its explanation. */
export type Fact = readonly [question: string, lines: readonly (string | readonly Child[])[]]

const COLOURS = { fresh: 'good', stale: 'warn', invalid: 'warn', missing: 'plain', failed: 'bad' } as const
const MOST_FIELDS = 8

/** The explanation of what is selected: how fresh it is, in large letters, and everything else below. `value` is logged with it. */
export function whyBox(
  context: TabContext,
  freshness: FreshnessFact,
  facts: readonly Fact[],
  value: () => unknown,
): HTMLElement {
  const { status, why } = freshness
  const rows = facts.filter(([, lines]) => lines.length > 0)
  return h(
    'section',
    { class: 'why', aria: { label: 'Explanation' } },
    h('p', { class: 'lead' }, tag(status, COLOURS[status]), ' ', ...sentence(context, why)),
    rows.length > 0 &&
      h(
        'dl',
        {},
        ...rows.flatMap(([question, lines]) => [
          h('dt', { text: question }),
          h(
            'dd',
            {},
            ...lines.map((line) => h('p', {}, ...(typeof line === 'string' ? sentence(context, line) : line))),
          ),
        ]),
      ),
    explanationBar(context, value),
  )
}

/** The writers of fields. */
export function writtenBy(fields: readonly FieldsFact[], now: number): Fact {
  const lines = fields.map(({ by, at, fields: names, status }, index) => {
    const isAll = fields.length === 1 && status === 'stored'
    const isRest = index === fields.length - 1 && names.length > MOST_FIELDS
    const what =
      names.length === 0
        ? 'the delete'
        : isAll
          ? names.length === 1
            ? 'its only field'
            : `all ${names.length} fields`
          : isRest
            ? `the other ${plural(names.length, 'field')}`
            : listed(names)
    return `${by}: ${what}, ${status === 'pending' ? 'pending, sent ' : ''}${ago(now - at)}.`
  })
  return ['Written by', lines]
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_FIELDS).join(', ')
  return names.length > MOST_FIELDS ? `${shown} and ${names.length - MOST_FIELDS} more` : shown
}

/** Why a request was sent, and its outcome. */
export function fetchedBecause(last: FetchFact | undefined, now: number): Fact {
  return ['Fetched', last ? [`${ago(now - last.at)}. ${last.why} Response ${last.outcome}.`] : []]
}

/** Its readers. */
export function shownBy({ components, views, count }: ReadersFact): Fact {
  const names = components.length > 0 ? components : views
  return ['Shown by', count === 0 ? ['Nothing on the screen.'] : [`${plural(count, 'reader')}: ${names.join(', ')}`]]
}
