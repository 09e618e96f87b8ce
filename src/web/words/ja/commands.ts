// Printed from locales/ja/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'コマンド',
  find: 'コマンドを検索',
  nothing: '一致するコマンドはありません。',
  none: 'これに使えるボットのコマンドはありません。',
  by: (bot) => `提供：${bot}`,
  use: (name) => `/${name}を使う`,
  choose: '選択…',
  chooseBetween: ({ min, max }) => `${min}～${max} 個選んでください。`,
  yes: 'はい',
  no: 'いいえ',
  send: '送信',
  uploading: 'ファイルはまだアップロード中です。',
  waiting: (bot) => `${bot}が考えています…`,
  silent: (bot) => `${bot}から応答がありませんでした。`,
  onlyYou: 'これはあなただけに表示されています',
  dismiss: '閉じる',
  answers: 'あなただけに見えるボットの返信',
  answering: ({ name, command }) => `${name}が/${command}を使いました`,
  answeringComponent: (name) => `${name}によるリクエスト`,
  texts: {
    me: 'していることを斜体で書きます',
    shrug: '¯\\_(ツ)_/¯ を付けます',
    spoiler: 'クリックされるまで文章を隠します',
    tableflip: '(╯°□°)╯︵ ┻━┻ を付けます',
  },
} satisfies typeof commandWords
