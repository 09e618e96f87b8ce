import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: '全般',
    messages: 'メッセージ',
    threads: 'スレッド',
    voice: 'ボイス',
    people: 'メンバー',
    server: 'サーバーの運営',
    administrator: 'すべて',
  },
  allowed: (n, all) => `${all}件中${n}件を許可`,
  set: (n) => (n === 0 ? '上位に従う' : `ここで${n}件を設定`),
  inServer: (isAllowed) => (isAllowed ? 'サーバーと同じ：許可' : 'サーバーと同じ：不許可'),
  private: '非公開チャンネル',
  privateOn: '所有者、管理者、下のロールだけに見えます。',
  privateOff: 'すべてのメンバーに見えます。',
  privateHint: '設定でロールを選ぶまで、所有者と管理者だけに見えます。',
  whoSees: '見られる人',
  noRoles: '選べる自分より下のロールがありません。',
  choices: {
    deny: '拒否',
    inherit: '上位に従う',
    allow: '許可',
  },
} satisfies typeof permissionWords
