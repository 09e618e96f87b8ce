import type { importWords } from '../imports.ts'

export default {
  title: 'メッセージを引き取る',
  text: 'ほかから移されたメッセージが、ファイルとリアクションとともにあなたのものになります。ロールと権限は変わりません。元に戻すことはできません。',
  take: '自分のものです',
  taken: '数分以内にあなたのものになります。',
  gone: 'リンクは期限切れか、使用済みか、別のアカウント用です。',
  go: '続ける',
} satisfies typeof importWords
