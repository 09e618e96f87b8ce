// Printed from locales/pt/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Reações',
    add: 'Adicionar uma reação',
    react: (emoji) => `Reagir com ${emoji}`,
    one: ({ emoji, n, isMine }) =>
      `${emoji}: ${count(n, '# reação', '# de reações', '# reações')}${isMine ? ', incluindo a sua' : ''}`,
    by: ({ names, emoji }) => `${emoji}: reação de ${listOf(names)}`,
    others: (n) => count(n, 'mais # pessoa', 'mais # de pessoas', 'mais # pessoas'),
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
