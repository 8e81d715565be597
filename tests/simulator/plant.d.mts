import type { Fault } from './planted.ts'

export function plant(contents: string, path: string, fault: Fault | undefined): string
