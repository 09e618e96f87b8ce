import { expect, test } from 'bun:test'
import { ExpressionPrinter } from '../../support/locales/expression.ts'
import { placeholderFaults, readMessage } from '../../support/locales/message.ts'

/** Faults of a translation, or of the message itself. */
function faultsOf(tag: string, english: string, translation: string): string[] {
  try {
    return placeholderFaults(readMessage('en', english), readMessage(tag, translation))
  } catch (error) {
    return [error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)]
  }
}

const printed = (tag: string, message: string) => new ExpressionPrinter().print(readMessage(tag, message)).code

test('a missing, misspelled or mistyped placeholder of a translation is named', () => {
  expect(faultsOf('de', '{who} added {target}.', '{target} kam durch {who}.')).toEqual([])
  expect(faultsOf('de', '{who} added {target}.', '{who} kam.')).toEqual(['{target} is missing'])
  expect(faultsOf('de', 'Open {name}', '{nam} öffnen')).toEqual([
    '{nam} is not in the English message',
    '{name} is missing',
  ])
  expect(faultsOf('de', 'Open {name}', '{name, number} öffnen')).toEqual(['{name} must be a string, not a number'])
  expect(faultsOf('de', '{n, number} of {all, number}', '{n} von {all, number}')).toEqual([
    '{n} must be a number, not a string',
  ])
  expect(faultsOf('fr', 'Link of {name}', "Lien d'{name}")).toEqual([
    "Write '' in front of a placeholder: one apostrophe begins quoted text",
  ])
  expect(faultsOf('fr', 'Link of {name}', "Lien d''{name}")).toEqual([])
})

test('a plural lacks no category of its language, and has no others', () => {
  const english = '{n, plural, one {# day} other {# days}}'
  expect(faultsOf('pl', english, '{n, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}')).toEqual([])
  expect(faultsOf('pl', english, '{n, plural, one {# dzień} other {# dni}}')).toEqual(['{n, plural} lacks few, many'])
  expect(faultsOf('pl', english, '{n, plural, other {# dni}}')).toEqual([
    '{n, plural} needs a form for each plural category',
  ])
  expect(faultsOf('ja', english, '{n, plural, other {#日}}')).toEqual([])
  expect(faultsOf('de', english, '{n, plural, one {# Tag} few {# Tage} other {# Tage}}')).toEqual([
    'The plural case few is not valid in this locale at line 1 col 24:',
  ])
  // English says nothing about the number: one form is enough.
  expect(faultsOf('pl', '{n, plural, =0 {Off} other {On}}', '{n, plural, =0 {Nie} other {Tak}}')).toEqual([])
})

test('a value that can be undefined is shown only where it is present, and cases are those of English', () => {
  const english = '{role, select, undefined {Nobody} other {As {role}}}'
  expect(faultsOf('de', english, '{role, select, undefined {Niemand} other {Als {role}}}')).toEqual([])
  expect(faultsOf('de', english, 'Als {role}')).toEqual(['{role} can be undefined'])
  expect(faultsOf('de', english, '{role, select, undefined {Ohne {role}} other {Als {role}}}')).toEqual([
    '{role} can be undefined: show it only in the case other of its select',
  ])
  const every = '{every, select, off {Off} other {Every {every}}}'
  expect(faultsOf('de', every, '{every, select, aus {Aus} other {Alle {every}}}')).toEqual([
    '{every, select} has the case aus, which English lacks',
  ])
  expect(faultsOf('de', every, '{every, select, off {Aus}}')).toEqual(['{every, select} lacks other'])
})

test('syntax that the client cannot say is refused', () => {
  const refused = (message: string) => faultsOf('en', message, message)
  expect(refused('{n, date}')).toEqual(['{n, date} has an unknown format'])
  expect(refused('{n, selectordinal, other {#th}}')).toEqual(['selectordinal is not supported'])
  expect(refused('{n, plural, offset:1 one {a} other {b}}')).toEqual(['offset is not supported'])
  expect(refused('Open {name')).toEqual(['Unexpected message end at line 1 col 11:'])
  expect(refused('Open name}')).toEqual(['A brace has no partner'])
  expect(refused("It's '{name}'")).toEqual([])
})

test('a message is printed as a short expression', () => {
  expect(printed('en', 'It is “{name}”')).toBe('`It is “${name}”`')
  expect(printed('en', '{name}')).toBe('name')
  expect(printed('en', '{n, number, plain} of {max, number}')).toBe('`${n} of ${digits(max)}`')
  expect(printed('en', '{names, list} for {s, duration}, {s, duration, relative}')).toBe(
    '`${listOf(names)} for ${spanOf(s)}, ${soon(s)}`',
  )
  expect(printed('en', '{isMine, select, true {Yours} other {Theirs}}')).toBe("isMine ? 'Yours' : 'Theirs'")
  expect(printed('en', '{n, plural, =0 {None} one {# day} other {# days}}')).toBe(
    "n === 0 ? 'None' : count(n, '# day', '# days')",
  )
  expect(printed('ja', '{n, plural, other {#日}}')).toBe('`${digits(n)}日`')
  expect(printed('en', "`'{'`${x} \\")).toBe('`\\`{\\`$${x} \\\\`')
})

test('# of a value in a plural form does not become the number', () => {
  const form = '{n, plural, one {{name} has # day} other {{name} has # days}}'
  expect(printed('en', form)).toBe('choose(n, `${name} has ${digits(n)} day`, `${name} has ${digits(n)} days`)')
  expect(printed('en', '{n, plural, one {# day of {name}} other {# days of {name}}}')).toBe(
    'count(n, `# day of ${name}`, `# days of ${name}`)',
  )
})
