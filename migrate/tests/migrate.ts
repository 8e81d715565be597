import { convert, type ConvertOptions, type Library, type Note, Project } from '../src/index.ts'

export interface Migrated {
  /** The new text of a file, or its old one. */
  readonly file: (name: string) => string
  readonly changed: readonly string[]
  readonly notes: readonly Note[]
}

/** Converts files that exist only here. */
export function migrate(
  library: Library,
  files: { readonly [name: string]: string },
  options?: ConvertOptions,
): Migrated {
  const texts = new Map(Object.entries(files).map(([name, text]) => [`/app/${name}`, text]))
  const { files: changed, notes } = convert(library, new Project('/app', texts), options)
  return {
    file: (name) => changed.get(`/app/${name}`) ?? texts.get(`/app/${name}`) ?? '',
    changed: [...changed.keys()].map((path) => path.slice('/app/'.length)),
    notes,
  }
}

/** The reasons why something stays. */
export function leftOf({ notes }: Pick<Migrated, 'notes'>): string[] {
  return notes.filter(({ kind }) => kind === 'left').map(({ text }) => text)
}
