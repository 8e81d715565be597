// Declared here so that neither the library nor its users need the types of Node.
declare const process: { env: { NODE_ENV?: string } }

// Bundlers replace `process.env.NODE_ENV` with the mode. In a browser the expression then works although `process` is
// missing, so only a try shows it. The test is written twice because bundlers fold different expressions: esbuild
// folds `x ? true : true`, and only in the first statement of a file; rolldown folds `x || true`.
// `scripts/fold.mjs` repeats the test wherever a built file uses `DEV`, for bundlers that fold no constants of other files.
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
