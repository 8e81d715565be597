export function buildDemo(): Promise<string>
export function buildServer(outDir: string): Promise<void>
