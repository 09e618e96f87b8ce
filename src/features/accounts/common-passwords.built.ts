import { dictionary } from '@zxcvbn-ts/language-common'

/** The common passwords, one per line. A single string, because a Set of 49,000 takes 10 MB. */
export const COMMON_PASSWORDS = `\n${dictionary['passwords-common'].join('\n')}\n`
