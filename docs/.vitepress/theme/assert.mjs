// What Babel uses of Node's `assert`, in the page.
export default function assert(value, message = 'assertion failed') {
  if (!value) {
    throw new Error(message)
  }
}
