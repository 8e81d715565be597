export function readMembers(modules: readonly { file: string; text: string }[]): {
  members: Map<string, number>
  texts: Map<string, string>
}
export function chooseShortNames(names: readonly string[], members: ReadonlyMap<string, number>): Map<string, string>
export function shorten(file: string, text: string, short: ReadonlyMap<string, string>): string
