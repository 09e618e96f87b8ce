import { dictionary } from '@zxcvbn-ts/language-common'

/** The common passwords, each on a line. One text: a set of 49,000 takes 10 MB. */
export const COMMON_PASSWORDS = `\n${dictionary['passwords-common'].join('\n')}\n`
