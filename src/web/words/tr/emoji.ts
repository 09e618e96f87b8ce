// Printed from locales/tr/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { digits, listOf } from '../plural.ts'

export default {
  reactions: {
    bar: 'Tepkiler',
    add: 'Tepki ekle',
    react: (emoji) => `${emoji} ile tepki ver`,
    one: ({ emoji, n, isMine }) => `${emoji}: ${`${digits(n)} tepki`}${isMine ? ', seninki dahil' : ''}`,
    by: ({ names, emoji }) => `${listOf(names)} ${emoji} ile tepki verdi`,
    others: (n) => `${digits(n)} kişi daha`,
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
