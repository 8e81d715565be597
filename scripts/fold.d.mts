export function foldDev(file: string, text: string, value?: string): string
