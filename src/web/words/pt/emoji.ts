import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Reações',
    add: 'Adicionar uma reação',
    react: (emoji) => `Reagir com ${emoji}`,
    one: (emoji, n, mine) => {
      const many = count(n, '# reação', '# de reações', '# reações')
      return `${emoji}: ${many}${mine ? ', incluindo a sua' : ''}`
    },
    by: (names, more, emoji) => {
      const many = count(more, 'mais # pessoa', 'mais # de pessoas', 'mais # pessoas')
      return `${emoji}: reação de ${listOf(more > 0 ? [...names, many] : names)}`
    },
    tooMany: 'Esta mensagem já tem 20 reações diferentes.',
    refused: 'Não foi possível salvar sua reação.',
    all: 'Todas',
  },
  pins: {
    title: 'Mensagens fixadas',
    pin: 'Fixar mensagem',
    unpin: 'Desafixar mensagem',
    unpinText: 'A mensagem fica onde está.',
    pinned: 'Fixada',
    show: 'Ver',
    showAll: 'Ver todas as mensagens fixadas',
  },
  emoji: {
    insert: 'Inserir um emoji',
    suggestions: 'Sugestões de emojis',
    add: 'Adicionar emoji',
  },
} satisfies typeof emojiWords
