/** Changes that no test can notice, each with the reason: `code` in `file`, replaced by `becomes`, does the same. */
export const EQUIVALENT = []
