// Printed from locales/ja/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `${name}のメニュー`,
  write: 'メッセージを送信',
  accept: 'フレンド申請を承認',
  read: '既読にする',
  notifications: '通知…',
  copyLink: 'リンクをコピー',
  settings: '設定…',
  events: 'イベント',
  hide: '会話を非表示',
  deleteChannel: 'チャンネルを削除',
  deleteCategory: 'カテゴリーを削除',
  moveTo: '移動先…',
  serverSettings: 'サーバー設定',
  leaveServer: 'サーバーから退出',
  leaveServerText: (name) => `${name}に戻るには新しい招待が必要です。`,
} satisfies typeof menuWords
