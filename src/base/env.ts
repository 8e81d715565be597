// Declared here so that neither the library nor its users need the types of Node.
declare const process: { env: { NODE_ENV?: string } }

// Bundlers write the mode in the place of `process.env.NODE_ENV`. In a browser it can be read then, and `process` is
// missing all the same, so only trying tells. The question is asked twice because bundlers know different laws: esbuild
// folds `x ? true : true`, and that only in the first statement of a file; rolldown folds `x || true`.
// `scripts/fold.mjs` repeats the question wherever a built file uses `DEV`, for bundlers that fold no constants of other files.
/** True in development; bundlers fold it to `false` in production builds, and it is false where nobody says the mode. */
// prettier-ignore
export const DEV: boolean = !(
  (/* @__PURE__ */ canRead() ? process.env.NODE_ENV === 'production' : true) || process.env.NODE_ENV === 'production'
)

function canRead(): boolean {
  try {
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}
