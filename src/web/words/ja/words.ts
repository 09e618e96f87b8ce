// Printed from locales/ja/words.json. After a change there: bun run words
import type { words } from '../words.ts'
import { badge, digits } from '../plural.ts'
import emoji from './emoji.ts'
import messages from './messages.ts'
import notifications from './notifications.ts'
import people from './people.ts'
import servers from './servers.ts'
import shortcuts from './shortcuts.ts'
import threads from './threads.ts'
import voice from './voice.ts'
import errors from './errors.ts'
import rules from './rules.ts'

export default {
  ...emoji,
  ...messages,
  ...notifications,
  ...people,
  ...servers,
  ...shortcuts,
  ...threads,
  ...voice,
  settings: {
    title: '設定',
  },
  conversations: '会話',
  search: {
    open: 'メッセージを検索',
  },
  sizes: ['B', 'KB', 'MB', 'GB'],
  loading: '読み込み中…',
  unreachable: 'サーバーに接続できません。再試行しています…',
  reconnecting: '接続が切れました。再接続しています…',
  ended: 'このウィンドウの接続は終了しました。続けるにはページを再読み込みしてください。',
  menuUnread: 'チャンネルとサーバー、未読あり',
  skip: 'メッセージへ移動',
  menu: 'チャンネルとサーバー',
  tools: 'この場所についてもっと見る',
  close: '閉じる',
  cancel: 'キャンセル',
  save: '保存',
  saved: '保存しました',
  copy: 'コピー',
  copied: 'コピーしました',
  notLoaded: 'ページのこの部分を読み込めませんでした。もう一度試すか、ページを再読み込みしてください。',
  notCopied: 'ブラウザーがコピーを許可しませんでした。',
  more: 'もっと見る',
  owner: '所有者',
  bot: 'ボット',
  guest: 'ゲスト',
  membersTitle: 'メンバー',
  members: (n) => `メンバー${digits(n)}人`,
  andMore: (n) => `ほか${digits(n)}人`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}、未読メッセージあり` : name) : `${name}、未読${badge(n)}件`,
  draft: '下書き',
  withDraft: '、下書きあり',
  failed: (reason) => `うまくいきませんでした：${reason}`,
  problems: {
    ...errors,
    invalid_credentials: '名前またはパスワードが違います。',
    rate_limited: '試行回数が多すぎます。',
    invite_gone: 'この招待は期限切れか、使い切られています。新しい招待をもらってください。',
    not_found: '存在しないか、アクセス権がありません。',
    banned: 'このサーバーからBANされています。',
    storage_full: '新しいメッセージとファイルのための空き容量がサーバーにありません。',
    offline: 'サーバーに接続できません。',
  },
  rules,
} satisfies typeof words
