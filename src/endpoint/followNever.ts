/** Browsers and React Native hide redirects: there is nothing to follow. */
export const follow: undefined = undefined
