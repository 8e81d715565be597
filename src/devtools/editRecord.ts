import type { Controller } from '../controller/Controller.ts'
import type { Row } from '../rows/Row.ts'
import type { TabContext } from './Tab.ts'
import { nameOf } from '../explain/rowNames.ts'
import { button, h } from './dom.ts'

/** Edits the fields of a record as JSON. */
export interface RecordEditor {
  /** True while this record is edited. */
  isOpen(row: Row): boolean
  open(row: Row, event: Event): void
  element(row: Row): HTMLElement
}

export function createRecordEditor({ controller, say }: TabContext, changed: () => void): RecordEditor {
  let name: string | undefined
  let text = ''
  let error = ''
  const close = (event: Event): void => {
    const root = rootOf(event)
    name = undefined
    changed()
    root.querySelector<HTMLElement>('.split.chosen .details')?.focus()
  }
  const save = (row: Row, event: Event): void => {
    try {
      const fields: unknown = JSON.parse(text)
      if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
        throw new TypeError('A record is an object.')
      }
      writeFields(controller, row, fields as Record<string, unknown>)
      say('Written to the store, not to the server.')
      close(event)
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown)
      changed()
    }
  }
  return {
    isOpen: (row) => name === nameOf(row),
    open(row, event) {
      const root = rootOf(event)
      name = nameOf(row)
      text = JSON.stringify(row.value, null, 2)
      error = ''
      changed()
      root.querySelector('textarea')?.focus()
    },
    element(row) {
      const keydown = (event: KeyboardEvent): void => {
        if (event.key === 'Escape') {
          // The first Escape ends the editing, the next one closes the panel.
          event.preventDefault()
          close(event)
        } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          save(row, event)
        }
      }
      const input = (event: Event): void => {
        text = (event.currentTarget as HTMLTextAreaElement).value
      }
      return h(
        'div',
        { 'data-id': `edit ${nameOf(row)}` },
        h(
          'textarea',
          { rows: 12, spellcheck: 'false', aria: { label: `Fields of ${nameOf(row)}` }, on: { input, keydown } },
          text,
        ),
        error !== '' && h('p', { role: 'alert', class: 'bad', text: error }),
        h(
          'div',
          { class: 'bar' },
          button('Write', (event) => save(row, event)),
          button('Cancel', close),
          h('span', { class: 'dim', text: 'This changes the store, not the server. Relations are keys.' }),
        ),
      )
    },
  }
}

/** The element of an event may be gone afterwards; its root stays, and moves the focus on. */
function rootOf({ currentTarget }: Event): ParentNode {
  return (currentTarget as Element).getRootNode() as ShadowRoot
}

/** Writes the fields that differ, with those that make the primary key. */
function writeFields(controller: Controller, { table, value, pk }: Row, next: Record<string, unknown>): void {
  const Class: any = table.entity
  const old = value as Record<string, unknown>
  const keys = new Set<string>()
  const watched = new Proxy(old, {
    get(fields, name) {
      keys.add(String(name))
      return Reflect.get(fields, name) as unknown
    },
  })
  if (`${Class.pk(watched, undefined, '', [])}` !== pk) {
    throw new Error('The primary key of this record is not made of its own fields, so it cannot be written here.')
  }
  const isOther = (name: string): boolean => JSON.stringify(old[name]) !== JSON.stringify(next[name])
  const names = [...new Set([...keys].filter((name) => Object.hasOwn(old, name)))]
  if (names.some(isOther)) {
    throw new Error(`The primary key (${names.join(', ')}) cannot change.`)
  }
  const own = Object.fromEntries(names.map((name) => [name, old[name]]))
  const changes = Object.fromEntries(Object.entries(next).filter(([name]) => isOther(name)))
  void controller.set(Class, own, { ...own, ...changes })
}
