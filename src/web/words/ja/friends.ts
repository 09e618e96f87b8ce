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
      'フレンドがいると、オンライン状況の確認、メッセージ、通話、グループ作成がすぐにできます。',
    ],
    waiting: ['申請はありません', '送った申請と届いた申請は、返事があるまでここに表示されます。'],
    blocked: [
      'ブロックしている人はいません',
      'ブロックした相手はあなたにメッセージも通話もできません。相手には知らされません。',
    ],
  },
  nobody: '見つかりませんでした',
  nobodyText: 'ユーザー名は全部入力してください。表示名は一部でもかまいません。',
  search: 'ユーザー名または表示名',
  searchHint: 'ユーザー名の全部、または表示名の一部。',
  find: '検索',
  add: 'フレンドに追加',
  accept: '承認',
  decline: '拒否',
  cancel: '申請を取り消す',
  remove: 'フレンドから削除',
  block: 'ブロック',
  unblock: 'ブロック解除',
} satisfies typeof friendWords
