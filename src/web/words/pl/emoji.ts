// Printed from locales/pl/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Reakcje',
    add: 'Dodaj reakcję',
    react: (emoji) => `Zareaguj ${emoji}`,
    one: ({ emoji, n, isMine }) =>
      `${emoji}: ${count(n, '# reakcja', '# reakcje', '# reakcji', '# reakcji')}${isMine ? ', w tym twoja' : ''}`,
    by: ({ names, emoji }) => `Reakcja ${emoji}: ${listOf(names)}`,
    others: (n) => count(n, 'jeszcze # osoba', 'jeszcze # osoby', 'jeszcze # osób', 'jeszcze # osoby'),
    tooMany: 'Ta wiadomość ma już 20 różnych reakcji.',
    refused: 'Nie udało się zapisać reakcji.',
    all: 'Wszystkie',
  },
  pins: {
    title: 'Przypięte wiadomości',
    pin: 'Przypnij wiadomość',
    unpin: 'Odepnij wiadomość',
    unpinText: 'Wiadomość zostaje na swoim miejscu.',
    pinned: 'Przypięta',
    show: 'Zobacz',
    showAll: 'Zobacz wszystkie przypięte wiadomości',
  },
  emoji: {
    insert: 'Wstaw emoji',
    suggestions: 'Podpowiedzi emoji',
    add: 'Dodaj emoji',
  },
} satisfies typeof emojiWords
