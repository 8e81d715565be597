// The values are those that managers in the wild compare with, so they stay.
export const FETCH = 'rdc/fetch' as const
export const SET = 'rdc/set' as const
export const SET_RESPONSE = 'rdc/setresponse' as const
export const OPTIMISTIC = 'rdc/optimistic' as const
export const RESET = 'rdc/reset' as const
export const SUBSCRIBE = 'rdc/subscribe' as const
export const UNSUBSCRIBE = 'rdc/unsubscribe' as const
export const INVALIDATE = 'rdc/invalidate' as const
export const INVALIDATEALL = 'rdc/invalidateall' as const
export const EXPIREALL = 'rdc/expireall' as const
export const GC = 'rdc/gc' as const
