// Bundles the fuzzer with the sources it tests, and runs it: npm run fuzz -- --minutes 10
import { figuresOfFuzzing } from '../../scripts/figures.mjs'
import { recordFigures } from '../../scripts/record.mjs'
import { build } from '../simulator/build.mjs'

const { results } = await import(await build({ entry: '../fuzz/main.ts' }))
recordFigures('fuzz', figuresOfFuzzing(results))
