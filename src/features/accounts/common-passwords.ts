import { COMMON_PASSWORDS } from './common-passwords.built.ts'

/** Whether the list has this text. */
export const isCommonPassword = (text: string): boolean =>
  !text.includes('\n') && COMMON_PASSWORDS.includes(`\n${text}\n`)
