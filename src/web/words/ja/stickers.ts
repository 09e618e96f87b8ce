// Printed from locales/ja/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'スタンプ',
  emojiTab: '絵文字',
  picturesTab: '画像',
  kinds: '種類',
  search: 'スタンプを検索',
  none: '一致するスタンプがありません。',
  nothing: 'ここで送れるスタンプがありません。',
  send: ({ name, alt }) => `スタンプ「${name}」を送信：${alt}`,
  gone: 'このスタンプはもうありません。',
  hint: '512 KiBまでのPNG、APNG、WebP、GIF。320ピクセルを超える画像は縮小されます。',
  upload: '画像をアップロード',
  name: 'スタンプの名前',
  alt: '説明',
  altHint: '画像が見えない人のための、画像の内容',
  space: ({ used, max }) => `このサーバーの画像とサウンドは${max}のうち${used}を使っています。`,
  edit: (name) => `${name}を編集`,
  delete: (name) => `${name}を削除`,
  deleteText: '今後は誰も送れません。メッセージでは引き続き表示されます。',
  empty: 'まだスタンプがありません',
  emptyText: '画像をアップロードし、名前と説明を付けましょう。メンバー全員が送れます。',
  counted: ({ n, max }) => `${n}／${max}`,
  problems: {
    too_many_stickers: 'このサーバーにはすでに60個のスタンプがあります。先に1個削除してください。',
    too_many_bytes:
      'このサーバーの画像とサウンドで空きがありません。先にスタンプ、絵文字、サウンドのどれかを削除してください。',
  },
  pictures: {
    keep: '画像を手元に残す',
    kept: '画像を残しました。絵文字を選ぶ画面にあります。',
    send: (name) => `${name}を送信`,
    remove: (name) => `${name}を外す`,
    none: 'まだ画像がありません',
    noneText: 'メッセージの画像を開いて「画像を手元に残す」を選んでください。残した画像は自分だけに見えます。',
    problems: {
      too_many_favourites: 'すでに50枚の画像を残しています。先に1枚外してください。',
      too_many_bytes: 'この画像のための空きがありません。',
    },
  },
} satisfies typeof stickerWords
