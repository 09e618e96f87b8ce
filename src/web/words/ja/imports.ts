// Printed from locales/ja/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'メッセージを引き取る',
  text: '別の場所からインポートされたメッセージが、ファイルとリアクションとともにあなたのものになります。ロールと権限は変わりません。この操作は元に戻せません。',
  take: '自分のものです',
  taken: 'メッセージは数分以内にあなたのものになります。',
  gone: 'リンクは期限切れか、使用済みか、別のアカウント用です。',
  go: '続ける',
} satisfies typeof importWords
