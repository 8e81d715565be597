export { createReader, type DataReader, type ReaderState } from './createReader.ts'
