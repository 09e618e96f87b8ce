// Printed from locales/ja/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { digits, listOf } from '../plural.ts'

export default {
  reactions: {
    bar: 'リアクション',
    add: 'リアクションを付ける',
    react: (emoji) => `${emoji} でリアクション`,
    one: ({ emoji, n, isMine }) => `${emoji}: ${`リアクション${digits(n)}件`}${isMine ? '（自分のものを含む）' : ''}`,
    by: ({ names, emoji }) => `${listOf(names)}が${emoji}でリアクションしました`,
    others: (n) => `ほか${digits(n)}人`,
    tooMany: 'このメッセージにはすでに20種類のリアクションが付いています。',
    refused: 'リアクションを保存できませんでした。',
    all: 'すべて',
  },
  pins: {
    title: 'ピン留めされたメッセージ',
    pin: 'メッセージをピン留め',
    unpin: 'ピン留めを外す',
    unpinText: 'メッセージはそのまま残ります。',
    pinned: 'ピン留め済み',
    show: '表示する',
    showAll: 'ピン留めをすべて表示',
  },
  emoji: {
    insert: '絵文字を挿入',
    suggestions: '絵文字の候補',
    add: '絵文字を追加',
  },
} satisfies typeof emojiWords
