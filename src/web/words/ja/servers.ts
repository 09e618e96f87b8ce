// Printed from locales/ja/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'サーバー',
    add: 'サーバーを追加',
    name: 'サーバー名',
    viewedAs: (role) =>
      role === undefined
        ? 'ロールのないメンバーとしてサーバーを表示しています。'
        : `${role}としてサーバーを表示しています。`,
    stopViewing: '終了',
    gone: (name) => `${name}は削除されました。`,
  },
  channels: {
    browse: 'チャンネル一覧',
    list: 'チャンネル',
    private: '、非公開',
    text: 'テキスト',
    voice: 'ボイス',
    none: 'まだ何もありません',
    noneText: 'あなたのロールで見られるチャンネルがありません。サーバーのモデレーターが変更できます。',
    noneToMake: '会話はチャンネルで行います。最初のチャンネルを作成しましょう。',
    addTopic: 'トピックを追加',
    outside: 'カテゴリーなし',
    moved: ({ name, place, category }) =>
      category === undefined
        ? `${name}は${place}番目になりました。`
        : `${name}は${category}の${place}番目になりました。`,
    moveHint: 'Altキーと矢印キーを押すと移動できます。',
    addTo: (name) => `${name}に新しいチャンネル`,
    make: {
      text: '新しいテキストチャンネル',
      voice: '新しいボイスチャンネル',
      category: '新しいカテゴリー',
    },
    settings: (name) => `${name}の設定`,
    taken: ({ n, limit }) => `${digits(limit)}人中${digits(n)}人`,
  },
  invite: {
    people: '招待する',
  },
} satisfies typeof serverWords
