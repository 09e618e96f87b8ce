// Printed from locales/de/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'Suche',
  field: 'Nachrichten suchen',
  hint: 'Wörter, "Wortfolgen", -Wörter oder ein Filter',
  where: 'Wo gesucht wird',
  everywhere: 'Überall',
  clear: 'Suche leeren',
  searching: 'Wird gesucht …',
  found: ({ n, hasMore }) =>
    n === 0
      ? 'Nichts gefunden.'
      : hasMore
        ? `${digits(n)} oder mehr Nachrichten`
        : count(n, '# Nachricht', '# Nachrichten'),
  nothing: 'Keine Nachrichten gefunden',
  nothingText: 'Versuche es mit weniger oder anderen Wörtern oder suche überall.',
  start: 'Die neuesten Nachrichten stehen oben. Gesucht wird nur, was du lesen kannst.',
  suggestions: 'Filter',
  jump: ({ author, place }) => `Zur Nachricht von ${author} in ${place}`,
  twice: (filter) => `„${filter}“ kann nur einmal verwendet werden.`,
  unknown: {
    from: (name) => `Niemand heißt hier „${name}“.`,
    mentions: (name) => `Niemand heißt hier „${name}“.`,
    in: (name) => `Es gibt keinen Kanal „${name}“, den du sehen kannst.`,
    has: (name) => `„${name}“ ist kein Filter. Verwende link, file, image oder embed.`,
    pinned: (name) => `„${name}“ ist kein Filter. Verwende true oder false.`,
    before: (name) => `„${name}“ ist kein Datum. Schreib es so: 2026-01-31.`,
    after: (name) => `„${name}“ ist kein Datum. Schreib es so: 2026-01-31.`,
  },
  filters: {
    from: 'von jemandem gesendet',
    in: 'in einem Kanal',
    has: 'link, file, image oder embed',
    mentions: 'erwähnt jemanden',
    before: 'vor einem Datum',
    after: 'an oder nach einem Datum',
    pinned: 'true oder false',
  },
} satisfies typeof searchWords
