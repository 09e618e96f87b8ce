import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'リアクション',
    add: 'リアクションを付ける',
    react: (emoji) => `${emoji} でリアクション`,
    one: (emoji, n, mine) => `${emoji}: ${count(n, 'リアクション#件')}${mine ? '（自分のものを含む）' : ''}`,
    by: (names, more, emoji) =>
      `${listOf(more > 0 ? [...names, count(more, 'ほか#人')] : names)}が${emoji}でリアクションしました`,
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
