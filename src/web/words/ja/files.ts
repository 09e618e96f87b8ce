// Printed from locales/ja/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { digits } from '../plural.ts'

export default {
  tooMany: (n) => `1つのメッセージに添付できるファイルは10個までです。${`${digits(n)}個のファイルを除外しました`}。`,
  unnamed: 'ファイル',
  interrupted: 'アップロードが中断されました。',
  remove: (name) => `${name}を取り除く`,
  progress: (name) => `${name}をアップロード中`,
  download: 'ダウンロード',
  downloadOne: (name) => `${name}をダウンロード`,
  mark: (name) => `${name}をネタバレとしてマーク`,
  describe: (name) => `${name}の説明を書く`,
  description: '内容の説明',
  descriptionHint: '見えない人に読み上げられ、検索でも見つかります。',
} satisfies typeof fileWords
