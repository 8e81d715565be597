/** Waits for idle time, where the platform knows of it. */
export function idle(): Promise<void> | undefined {
  const { requestIdleCallback: request } = globalThis as unknown as Partial<Window>
  return request && new Promise((resolve) => void request(() => resolve(), { timeout: 1_000 }))
}
