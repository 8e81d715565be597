import type { Seen, Take } from '../reader.ts'

export const all: Take<Seen> = (seen) => seen
export const data: Take<any> = (seen) => seen.data
