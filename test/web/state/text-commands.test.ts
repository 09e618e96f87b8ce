import { expect, test } from 'bun:test'
import { plainText } from '../../../src/core/markup/plain-text.ts'
import { withTextCommand } from '../../../src/web/state/text-commands.ts'

const names = { nameOf: () => undefined, tokenNameOf: () => undefined, timeOf: () => '' }

test('a text command writes an ordinary message', () => {
  for (const [typed, sent, read] of [
    ['/shrug', '¯\\\\\\_(ツ)\\_/¯', '¯\\_(ツ)_/¯'],
    ['/shrug no idea', 'no idea ¯\\\\\\_(ツ)\\_/¯', 'no idea ¯\\_(ツ)_/¯'],
    ['/tableflip enough', 'enough (╯°□°)╯︵ ┻━┻', 'enough (╯°□°)╯︵ ┻━┻'],
    ['/me waves', '_waves_', 'waves'],
    ['/spoiler they *dive*', '||they *dive*||', '▒▒▒'],
  ] as const) {
    expect(withTextCommand(typed)).toBe(sent)
    expect(plainText(sent, names)).toBe(read)
  }
})

test('any other text stays as it is', () => {
  for (const text of [
    '/',
    '/me',
    '/spoiler ',
    '/roll 2d6',
    ' /shrug',
    'see /shrug',
    '/shrugs',
    '/constructor x',
    '/SHRUG',
  ])
    expect(withTextCommand(text)).toBe(text)
})
