const LABELS: Readonly<Record<string, string>> = {
  fetch: 'Request',
  setresponse: 'Response',
  optimistic: 'Optimistic update',
  set: 'Write',
  write: 'Write',
  invalidate: 'Invalidate',
  invalidateall: 'Invalidate',
  expireall: 'Expire',
  reset: 'Reset',
  gc: 'Collect garbage',
  subscribe: 'Subscribe',
  unsubscribe: 'Unsubscribe',
}

/** The type of an action in words; actions of the app keep their own name. */
export function actionLabel(type: string): string {
  return LABELS[type] ?? type
}
