import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'セクション',
  home: 'ホーム',
  servers: 'サーバー',
  inbox: '受信箱',
  you: 'あなた',
  noServers: 'サーバーはまだありません',
  noServersText: '作成するか、招待リンクで参加してください。',
} satisfies typeof phoneWords
