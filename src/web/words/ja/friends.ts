// Printed from locales/ja/friends.json. After a change there: bun run words
import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'フレンド',
    pending_incoming: 'フレンド申請が届いています',
    pending_outgoing: '申請済み',
    blocked: 'ブロック中',
  },
  tabs: {
    friends: 'フレンド',
    waiting: '申請',
    blocked: 'ブロック中',
    find: '人を探す',
  },
  none: {
    friends: [
      'まだフレンドがいません',
      'フレンドを追加すると、オンライン状況の確認、メッセージ、通話、グループの作成ができます。',
    ],
    waiting: ['保留中の申請はありません', '送信または受信したフレンド申請は、返事があるまでここに表示されます。'],
    blocked: [
      'ブロックしている人はいません',
      'ブロックした相手はあなたにメッセージも通話もできません。相手には通知されません。',
    ],
  },
  nobody: '見つかりませんでした',
  nobodyText: 'ユーザー名の全体、または表示名の一部を入力してください。',
  search: 'ユーザー名または表示名',
  searchHint: 'ユーザー名の全体、または表示名の一部。',
  find: '検索',
  add: 'フレンドに追加',
  accept: '承認',
  decline: '拒否',
  cancel: '申請を取り消す',
  remove: 'フレンドから削除',
  block: 'ブロック',
  unblock: 'ブロック解除',
  messageRequests: {
    title: 'メッセージリクエスト',
    text: (name) =>
      `${name}さんがあなたにメッセージを送ろうとしています。読んだかどうかは相手に伝わりません。返信または承認すると、知り合いと同じように送れるようになります。`,
    hint: '知らない人からのメッセージはここで待ちます。通知はされず、画像は覆われています。',
    ignore: '無視',
    ignored: '無視中',
    none: 'メッセージリクエストはありません',
  },
} satisfies typeof friendWords
