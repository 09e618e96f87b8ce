// Printed from locales/es/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Reacciones',
    add: 'Añadir una reacción',
    react: (emoji) => `Reaccionar con ${emoji}`,
    one: ({ emoji, n, isMine }) =>
      `${emoji}: ${count(n, '# reacción', '# de reacciones', '# reacciones')}${isMine ? ', incluida la tuya' : ''}`,
    by: ({ names, emoji }) => `${emoji}: reacción de ${listOf(names)}`,
    others: (n) => count(n, '# persona más', '# de personas más', '# personas más'),
    tooMany: 'Este mensaje ya tiene 20 reacciones distintas.',
    refused: 'No se ha podido guardar tu reacción.',
    all: 'Todas',
  },
  pins: {
    title: 'Mensajes fijados',
    pin: 'Fijar mensaje',
    unpin: 'Dejar de fijar',
    unpinText: 'El mensaje se queda donde está.',
    pinned: 'Fijado',
    show: 'Verlo',
    showAll: 'Ver todos los mensajes fijados',
  },
  emoji: {
    insert: 'Insertar un emoji',
    suggestions: 'Sugerencias de emojis',
    add: 'Añadir emoji',
  },
} satisfies typeof emojiWords
