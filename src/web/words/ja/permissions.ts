// Printed from locales/ja/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: '全般',
    messages: 'メッセージ',
    threads: 'スレッド',
    voice: 'ボイス',
    people: 'メンバー',
    server: 'サーバー管理',
    administrator: 'すべて',
  },
  allowed: ({ n, all }) => `${all}件中${n}件を許可`,
  set: (n) => (n === 0 ? '継承' : `ここで${n}件を設定`),
  inServer: (isAllowed) => (isAllowed ? 'サーバーから継承：許可' : 'サーバーから継承：不許可'),
  private: '非公開チャンネル',
  privateOn: '所有者、管理者、以下のロールだけが見られます。',
  privateOff: 'すべてのメンバーが見られます。',
  privateHint: '設定でロールを選ぶまで、所有者と管理者だけが見られます。',
  whoSees: '見られる人',
  noRoles: '自分より下に、選べるロールがありません。',
  choices: {
    deny: '拒否',
    inherit: '継承',
    allow: '許可',
  },
  moderatorsOnly: 'モデレーターだけが投稿',
  moderatorsOnlyText: '全員が読めます。メッセージを管理するロールは投稿できます。',
} satisfies typeof permissionWords
