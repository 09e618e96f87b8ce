import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Réactions',
    add: 'Ajouter une réaction',
    react: (emoji) => `Réagir avec ${emoji}`,
    one: (emoji, n, mine) => {
      const many = count(n, '# réaction', '# de réactions', '# réactions')
      return `${emoji} : ${many}${mine ? ', dont la tienne' : ''}`
    },
    by: (names, more, emoji) => {
      const many = count(more, '# autre personne', '# d’autres', '# autres')
      return `${emoji} : réaction de ${listOf(more > 0 ? [...names, many] : names)}`
    },
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
