// Printed from locales/de/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Reaktionen',
    add: 'Reaktion hinzufügen',
    react: (emoji) => `Mit ${emoji} reagieren`,
    one: ({ emoji, n, isMine }) =>
      `${emoji}: ${count(n, '# Reaktion', '# Reaktionen')}${isMine ? ', auch von dir' : ''}`,
    by: ({ names, emoji }) => `${emoji}: Reaktion von ${listOf(names)}`,
    others: (n) => count(n, '# weitere Person', '# weitere'),
    tooMany: 'Diese Nachricht hat schon 20 verschiedene Reaktionen.',
    refused: 'Deine Reaktion konnte nicht gespeichert werden.',
    all: 'Alle',
  },
  pins: {
    title: 'Angepinnte Nachrichten',
    pin: 'Nachricht anpinnen',
    unpin: 'Nachricht loslösen',
    unpinText: 'Die Nachricht bleibt, wo sie ist.',
    pinned: 'Angepinnt',
    show: 'Ansehen',
    showAll: 'Alle angepinnten Nachrichten ansehen',
  },
  emoji: {
    insert: 'Emoji einfügen',
    suggestions: 'Emoji-Vorschläge',
    add: 'Emoji hinzufügen',
  },
} satisfies typeof emojiWords
