import { COMMON_PASSWORDS } from './common-passwords.built.ts'

export const isCommonPassword = (text: string): boolean =>
  !text.includes('\n') && COMMON_PASSWORDS.includes(`\n${text}\n`)
