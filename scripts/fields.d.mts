/** The edits that remove declarations of fields that the constructor of their class sets in any case. */
export function findFields(file: string, text: string): { start: number; end: number; text: string }[]
