import { commonPasswordLines } from './common-passwords.macro.ts' with { type: 'macro' }

/** One text: a set of 49,000 takes 10 MB. */
const LINES = `\n${commonPasswordLines()}\n`

/** Whether the list has this text. */
export const isCommonPassword = (text: string): boolean => !text.includes('\n') && LINES.includes(`\n${text}\n`)
