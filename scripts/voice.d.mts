export declare function findFaults(file: string, text: string): { line: number; words: string; write: string }[]
