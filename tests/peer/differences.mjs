/** Part of a file name, part of a title, and why the test does not pass here. */
export const DIFFERENCES = []
