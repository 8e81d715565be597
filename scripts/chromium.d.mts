export const LAUNCH_ARGS: string[]
export function findChromium(): Promise<string | undefined>
export function installChromium(): Promise<string | undefined>
