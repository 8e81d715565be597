/** The text of a built module without declarations of fields that the constructor sets in any case. */
export function removeFields(file: string, text: string): string
