// Printed from locales/ja/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'セクション',
  home: 'ホーム',
  servers: 'サーバー',
  inbox: '受信箱',
  you: 'あなた',
  noServers: 'サーバーはまだありません',
  noServersText: '作成するか、招待リンクで参加してください。',
  toCall: (name) => `${name} の通話に戻る`,
  shrinkCall: '通話を小さくする',
} satisfies typeof phoneWords
