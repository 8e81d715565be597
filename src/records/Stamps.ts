import type { Meta } from '../rows/Meta.ts'

/** The response that brought each field: one for all, or one for most and others for the rest. */
export type Stamps =
  | Meta
  | { readonly most: Meta; readonly others: Readonly<Record<string, Meta>>; readonly newest: number }

/** The response that brought a field. */
export function stampOf(by: Stamps | undefined, name: string): Meta | undefined {
  return !by || !('most' in by) ? by : Object.hasOwn(by.others, name) ? by.others[name] : by.most
}

/** The number at which the oldest of the responses was sent that the fields come from. */
export function oldestSent(by: Stamps): number {
  return 'most' in by ? Math.min(...metasOf(by).map(({ sent }) => sent)) : by.sent
}

/** The responses that the fields come from. */
export function metasOf(by: Stamps): readonly Meta[] {
  return 'most' in by ? [by.most, ...Object.values(by.others)] : [by]
}

/** The number at which the last of them arrived. */
export function newestAt(by: Stamps): number {
  return 'most' in by ? by.newest : by.at
}
