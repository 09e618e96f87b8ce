/** The grammar of messages, shared by browser and server: both parse a text with the same files. */
export { type Block, parse } from './markup/markdown.ts'
export { plainText } from './markup/plain-text.ts'
