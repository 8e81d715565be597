// Bundles the fuzzer with the sources it tests, and runs it: npm run fuzz -- --minutes 10
import { build } from '../simulator/build.mjs'

await import(await build({ entry: '../fuzz/main.ts' }))
