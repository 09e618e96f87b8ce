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
  choices: 'チャンネルとロール',
  pick: '選べるロール',
  pickHint: '選択はいつでも変更できます。',
  nothing: 'まだ選べるものはありません',
  nothingText: 'このサーバーにはメンバーが選べるものがありません。',
  mayNotChoose: 'ここで書き込めるようになると選べます。',
  selfAssignable: 'メンバーが自分で選べるロールにする',
  selfAssignableHint:
    'このロールには序列がなく、全員の初期権限だけを持ちます。オフにしてもメンバーのロールは残ります。',
  opens: 'チャンネルを全員に公開しますか？',
  opensText: (channels) => `このロールは誰でも選べるため、全員に見えるようになります：${channels}`,
  open: '公開する',
  hidden: 'あなたには見えないチャンネル',
} satisfies typeof arrivalWords
