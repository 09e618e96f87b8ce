// Printed from locales/fr/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Réactions',
    add: 'Ajouter une réaction',
    react: (emoji) => `Réagir avec ${emoji}`,
    one: ({ emoji, n, isMine }) =>
      `${emoji} : ${count(n, '# réaction', '# de réactions', '# réactions')}${isMine ? ', dont la tienne' : ''}`,
    by: ({ names, emoji }) => `${emoji} : réaction de ${listOf(names)}`,
    others: (n) => count(n, '# autre personne', '# d’autres', '# autres'),
    tooMany: 'Ce message a déjà 20 réactions différentes.',
    refused: 'Ta réaction n’a pas pu être enregistrée.',
    all: 'Toutes',
  },
  pins: {
    title: 'Messages épinglés',
    pin: 'Épingler le message',
    unpin: 'Désépingler le message',
    unpinText: 'Le message reste à sa place.',
    pinned: 'Épinglé',
    show: 'Voir',
    showAll: 'Voir tous les messages épinglés',
  },
  emoji: {
    insert: 'Insérer un émoji',
    suggestions: 'Suggestions d’émojis',
    add: 'Ajouter un émoji',
  },
} satisfies typeof emojiWords
