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
  },
  pins: {
    title: 'Messages épinglés',
    pinned: 'Épinglé',
    show: 'Voir',
    showAll: 'Voir tous les messages épinglés',
  },
  emoji: {
    insert: 'Insérer un émoji',
  },
} satisfies typeof emojiWords
