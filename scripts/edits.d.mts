type Edit = { readonly start: number; readonly end: number; readonly text: string }
export function applyEdits(text: string, edits: readonly Edit[]): string
export function shiftMap<M extends { readonly mappings: string }>(map: M, text: string, edits: readonly Edit[]): M
