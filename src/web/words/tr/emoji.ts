import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Tepkiler',
    add: 'Tepki ekle',
    react: (emoji) => `${emoji} ile tepki ver`,
    one: (emoji, n, mine) => `${emoji}: ${count(n, '# tepki', '# tepki')}${mine ? ', seninki dahil' : ''}`,
    by: (names, more, emoji) => {
      const many = count(more, '# kişi daha', '# kişi daha')
      return `${listOf(more > 0 ? [...names, many] : names)} ${emoji} ile tepki verdi`
    },
    tooMany: 'Bu mesajda zaten 20 farklı tepki var.',
    refused: 'Tepkin kaydedilemedi.',
    all: 'Tümü',
  },
  pins: {
    title: 'Sabitlenmiş mesajlar',
    pin: 'Mesajı sabitle',
    unpin: 'Sabitlemeyi kaldır',
    unpinText: 'Mesaj olduğu yerde kalır.',
    pinned: 'Sabitlendi',
    show: 'Gör',
    showAll: 'Tüm sabitlenmiş mesajları gör',
  },
  emoji: {
    insert: 'Emoji ekle',
    suggestions: 'Emoji önerileri',
    add: 'Emoji ekle',
  },
} satisfies typeof emojiWords
