// The strictest flags of TypeScript, under which generated code has to compile. The newest ones are those of 5.8 and later.
export const strictest = (isNewest) => ({
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noPropertyAccessFromIndexSignature: true,
    noFallthroughCasesInSwitch: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    allowUnreachableCode: false,
    allowUnusedLabels: false,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    // Types that a declaration file could not name would be errors.
    declaration: true,
    ...(isNewest && { erasableSyntaxOnly: true, noUncheckedSideEffectImports: true }),
  },
  include: ['.'],
})
