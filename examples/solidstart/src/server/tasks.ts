const TITLES = ['Water the plants', 'Call Ann', 'Book a table', '</script><script>globalThis.broken = true</script>']

/** The tasks of this process. */
export const tasks = TITLES.map((title, index) => ({ id: String(index + 1), title, done: index === 1 }))
