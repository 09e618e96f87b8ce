import type { arrivalWords } from '../arrival.ts'

export default {
  tab: '新しいメンバー',
  rules: 'ルール',
  rulesHint:
    'これから参加する人は、書き込む前にこのルールに同意します。変更するとメンバーにお知らせが表示され、誰も制限されません。',
  rulesField: 'ルール（Markdown、16行まで）',
  saveRules: 'ルールを保存',
  waiting: 'あと少しです。ルールに同意すると参加できます。',
  changed: 'このサーバーのルールが変わりました。',
  read: 'ルールを読む',
  rulesOf: (server) => `${server}のルール`,
  accept: 'ルールに同意する',
  goIn: '入る',
  noRules: 'このサーバーにルールはありません。入ることができます。',
  readAgain: 'ルールがたった今変わりました。もう一度お読みください。',
  welcome: 'ようこそ！',
  wave: '手を振る',
} satisfies typeof arrivalWords
