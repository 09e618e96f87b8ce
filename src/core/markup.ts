/** The grammar of messages. Browser and server both parse with these files, so that they agree. */
export { type Block, parse } from './markup/markdown.ts'
export { plainText } from './markup/plain-text.ts'
