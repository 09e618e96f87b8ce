// Printed from locales/ja/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'

export default {
  servers: {
    list: 'サーバー',
    add: 'サーバーを追加',
    name: 'サーバー名',
    settings: 'サーバー設定',
    leave: 'サーバーから退出',
    viewedAs: (role) =>
      role === undefined
        ? 'ロールのないメンバーとしてサーバーを表示しています。'
        : `${role}としてサーバーを表示しています。`,
    stopViewing: '終了',
    gone: (name) => `${name}は削除されました。`,
    leaveText: (name) => `${name}に戻るには新しい招待が必要です。`,
  },
  channels: {
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
  },
  invite: {
    people: '招待する',
    join: 'サーバーに参加',
    notNow: '今はしない',
    back: '会話に戻る',
  },
} satisfies typeof serverWords
