import { expect, test } from 'bun:test'
import type { z } from 'zod'
import { line } from '../../../src/core/schema.ts'
import { fieldErrors } from '../../../src/core/validation.ts'
import { DisplayNameChange, PrivacyPatch, Registration } from '../../../src/features/accounts/model.ts'
import { EmojiPatch } from '../../../src/features/emoji/model.ts'
import { ApiError } from '../../../src/web/client/rest.ts'
import { reasonOf, ruleOf } from '../../../src/web/state/reason.ts'
import german from '../../../src/web/words/de/rules.ts'
import { words } from '../../../src/web/words/words.ts'

test('sizes in the server’s messages are shown in their unit', () => {
  expect(ruleOf('Must be at most 104857600 bytes')).toBe('Must be at most 100 MB')
  expect(reasonOf(new ApiError(422, 'upload_mismatch', 'A picture has at most 1572864 bytes'))).toBe(
    'A picture has at most 1.5 MB',
  )
})

/** The server's messages about a value that its schema refuses. */
const saidOf = (schema: z.ZodType, value: unknown): string[] =>
  fieldErrors(schema.safeParse(value).error ?? { issues: [] }, 'body').map(({ message }) => message)

test('broken rules are shown in the language of the page', () => {
  const { rules: english } = words
  words.rules = german
  const account = (username: string, email: string, password: string) => ({ username, email, password })
  const samples = [
    ...saidOf(Registration, account('A', 'none', '')),
    ...saidOf(Registration, account('alice', 'alice@example.org', 'Password'.repeat(20))),
    ...saidOf(Registration, account('alice', 'alice@example.org', 'password')),
    ...saidOf(DisplayNameChange, { display_name: '' }),
    ...saidOf(DisplayNameChange, { display_name: ' ' }),
    ...saidOf(DisplayNameChange, { display_name: 'a\nb' }),
    ...saidOf(line(5), `e${'\u0301'.repeat(19)}`),
    ...saidOf(line(20), `e${'\u0301'.repeat(31)}`),
    ...saidOf(EmojiPatch, { name: '!' }),
    ...saidOf(PrivacyPatch, {}),
  ]
  const rules = samples.map(ruleOf)
  words.rules = english
  expect(samples.length).toBeGreaterThan(15)
  expect(samples.filter((each, at) => rules[at] === each)).toEqual([])
  expect(rules).toContain('Muss mindestens 12 Zeichen lang sein')
  expect(rules).toContain('Muss eine Ziffer 0-9 enthalten')
  expect(rules).toContain('Muss eines der Sonderzeichen !@#$%^&* enthalten')
  expect(rules).toContain('Muss aus 2 bis 32 Zeichen von a-z, 0-9, _ . - bestehen')
})
