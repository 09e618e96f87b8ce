import { dictionary } from '@zxcvbn-ts/language-common'

/** The common passwords, each on a line. It runs while the program is built or read. */
export const commonPasswordLines = (): string => dictionary['passwords-common'].join('\n')
