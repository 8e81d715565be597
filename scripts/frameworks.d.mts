export declare const FRAMEWORKS: readonly string[]
export declare function readBlocks(page: string): {
  kind: string
  line: number
  text: string
  framework?: string
  name?: string
}[]
