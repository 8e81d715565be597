export declare const MAIN: Readonly<Record<string, string>>
export declare function readLearn(framework?: string): {
  page: string
  files: Record<string, string>
  loose: { kind: string; line: number; text: string }[]
}[]
