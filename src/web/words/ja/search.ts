// Printed from locales/ja/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'

export default {
  title: '検索',
  field: 'メッセージを検索',
  hint: '単語、"フレーズ"、-除外、フィルター',
  where: '検索する場所',
  everywhere: 'すべての場所',
  clear: '検索をクリア',
  searching: '検索中…',
  found: ({ n, hasMore }) =>
    n === 0 ? '見つかりませんでした。' : hasMore ? `${digits(n)}件以上のメッセージ` : `${digits(n)}件のメッセージ`,
  nothing: 'メッセージが見つかりません',
  nothingText: '単語を減らすか変えるか、すべての場所で検索してください。',
  start: '新しいメッセージから順に表示します。検索されるのは、あなたが読めるものだけです。',
  suggestions: 'フィルター',
  jump: ({ author, place }) => `${place}の${author}のメッセージへ移動`,
  twice: (filter) => `「${filter}」は一度しか使えません。`,
  unknown: {
    from: (name) => `ここに「${name}」という名前の人はいません。`,
    mentions: (name) => `ここに「${name}」という名前の人はいません。`,
    in: (name) => `見られるチャンネルの中に「${name}」はありません。`,
    has: (name) => `「${name}」はフィルターではありません。link、file、image、embed のいずれかを使ってください。`,
    pinned: (name) => `「${name}」はフィルターではありません。true か false を使ってください。`,
    before: (name) => `「${name}」は日付ではありません。2026-01-31 のように書いてください。`,
    after: (name) => `「${name}」は日付ではありません。2026-01-31 のように書いてください。`,
  },
  filters: {
    from: '送信者',
    in: 'チャンネル',
    has: 'link、file、image、embed',
    mentions: 'メンションされた人',
    before: 'この日より前',
    after: 'この日以降',
    pinned: 'true か false',
  },
} satisfies typeof searchWords
