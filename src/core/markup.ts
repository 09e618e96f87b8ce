/** What the browser shares of the grammar with the server: both read a text by the same files. */
export { type Block, parse } from './markup/markdown.ts'
export { plainText } from './markup/plain-text.ts'
