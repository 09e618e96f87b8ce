// Printed from locales/ja/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: '公開ページ',
  server: 'このサーバーのチャンネルを公開できる',
  serverText: 'チャンネルやフォーラムごとに設定で選びます。選ばなければ何も公開されません。',
  indexed: '検索エンジンに表示されてもよい',
  channel: '誰でもアカウントなしでこのチャンネルを読める',
  channelText: '制限中のメンバーと、24時間以内に参加したメンバーのメッセージは表示されません。',
  serverOff: 'まずサーバーの設定で公開ページを許可してください。',
  older: '以前に書かれたものも',
  olderText: ({ people, messages }) => `ここに書いた人：${people}。そのメッセージ：${messages}。`,
  open: '公開ページを開く',
  here: 'ここに書かれたものは、誰でもアカウントなしで読めます。',
  name: '公開ページに自分の名前を表示する',
  nameText: '表示しない場合は「A member」と呼ばれます。',
} satisfies typeof publicWords
