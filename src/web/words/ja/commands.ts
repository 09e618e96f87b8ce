import type { commandWords } from '../commands.ts'

export default {
  title: 'コマンド',
  find: 'コマンドを検索',
  nothing: 'この名前のコマンドはありません。',
  none: 'これに対応するボットはありません。',
  by: (bot) => `${bot}による`,
  use: (name) => `/${name}を使う`,
  choose: '選択…',
  yes: 'はい',
  no: 'いいえ',
  send: '送信',
  uploading: 'ファイルをアップロード中です。',
  waiting: (bot) => `${bot}が考えています…`,
  silent: (bot) => `${bot}から返事がありませんでした。`,
  onlyYou: 'これはあなただけに表示されています',
  dismiss: '閉じる',
  answers: 'あなた宛てのボットの返事',
  answering: (name, command) => `${name}が/${command}を使いました`,
  answeringComponent: (name) => `${name}がこれを求めました`,
} satisfies typeof commandWords
