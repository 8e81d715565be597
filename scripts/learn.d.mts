export declare function readLearn(): {
  page: string
  files: Record<string, string>
  loose: { kind: string; line: number; text: string }[]
}[]
