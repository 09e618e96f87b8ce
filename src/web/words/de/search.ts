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
  found: (n, more) =>
    n === 0
      ? 'Nichts gefunden.'
      : more
        ? `${digits(n)} oder mehr Nachrichten`
        : count(n, '# Nachricht', '# Nachrichten'),
  nothing: 'Keine Nachricht passt',
  nothingText: 'Versuche es mit weniger oder anderen Wörtern oder suche überall.',
  start: 'Die neuesten Nachrichten stehen oben. Gesucht wird nur, was du lesen kannst.',
  suggestions: 'Filter',
  jump: (author, place) => `Zur Nachricht von ${author} in ${place}`,
  twice: (filter) => `„${filter}“ geht nur einmal.`,
  unknown: {
    from: (name) => `Niemand ist hier als „${name}“ bekannt.`,
    mentions: (name) => `Niemand ist hier als „${name}“ bekannt.`,
    in: (name) => `Es gibt keinen Kanal „${name}“, den du sehen kannst.`,
    has: (name) => `Nachrichten haben link, file, image oder embed, aber kein „${name}“.`,
    pinned: (name) => `Pinned ist true oder false, aber nicht „${name}“.`,
    before: (name) => `„${name}“ ist kein Datum. Schreib es als 2026-01-31.`,
    after: (name) => `„${name}“ ist kein Datum. Schreib es als 2026-01-31.`,
  },
  filters: {
    from: 'von jemandem geschrieben',
    in: 'in einem Kanal',
    has: 'link, file, image oder embed',
    mentions: 'erwähnt jemanden',
    before: 'vor einem Datum',
    after: 'an einem Datum oder später',
    pinned: 'true oder false',
  },
} satisfies typeof searchWords
