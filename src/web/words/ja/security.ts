// Printed from locales/ja/security.json. After a change there: bun run words
import type { securityWords } from '../security.ts'
import { digits } from '../plural.ts'

export default {
  methods: {
    password: 'パスワードを使う',
    code: '認証アプリを使う',
    recovery_code: 'リカバリーコードを使う',
    passkey: 'パスキーを使う',
  },
  fields: {
    password: 'パスワード',
    code: '認証アプリのコード',
    recovery_code: 'リカバリーコード',
  },
  problems: {
    invalid_code: 'このコードは間違っているか、期限切れか、使用済みです。次のコードを待ってください。',
    login_expired: '時間がかかりすぎたか、試行回数が多すぎました。もう一度ログインしてください。',
    invalid_credentials: 'パスワードが違います。',
  },
  recoveryHint: '保存した10個のコードのうちの1つ。それぞれ一度だけ使えます。',
  second: {
    title: 'あと1ステップ',
    text: '本人確認をしてください。',
    login: 'ログイン',
    back: '戻る',
  },
  proof: {
    title: '本人確認',
    text: 'アカウントに入れる人が変わる操作です。確認すると、10分間は再び尋ねません。',
    go: '続ける',
    none: 'ここで本人確認をする方法がありません。このサーバーの運用者に、パスワードリセットのリンクを頼んでください。',
  },
  notThere: 'パスキーは使われませんでした。キャンセルされたか、このサイトのパスキーがありません。',
  app: {
    title: '認証アプリ',
    off: 'ログインするときに、スマートフォンのアプリのコードも必要になります。',
    since: (time) => `${time}からオン。ログインにはアプリのコードが必要です。`,
    left: (n) => `リカバリーコードの残り：${digits(n)}個`,
    setUp: '設定する',
    turnOff: 'オフにする',
    turnOffText: 'ログインに必要なのはパスワードだけになります。リカバリーコードは使えなくなります。',
    isOff: '認証アプリはオフです',
    newCodes: '新しいリカバリーコード',
    scan: '認証アプリでこれを読み取ってください。',
    picture: '認証アプリ用のQRコード',
    type: 'または、このキーを入力してください：',
    confirm: '次に、表示されたコードを入力してください',
    turnOn: 'オンにする',
  },
  codes: {
    title: 'リカバリーコード',
    text: '今すぐ保存してください。表示は一度だけです。アプリが手元にないときに、各コードを一度だけ使えます。以前のコードはもう使えません。',
    file: 'parley-recovery-codes.txt',
    heading: ({ name, host }) => `${host}の${name}のリカバリーコード`,
    download: 'ダウンロード',
    saved: '保存しました',
  },
  passkeys: {
    title: 'パスキー',
    text: '指紋、顔、PIN、セキュリティキーを使って、パスワードなしでログインできます。',
    add: 'パスキーを追加',
    added: (time) => `${time}に追加`,
    used: (time) => `最終利用 ${time}`,
    name: '名前',
    nameHint: 'あとで見分けるための名前です。例：「スマートフォン」',
    rename: '名前を変更',
    renameOf: (name) => `${name}の名前を変更`,
    remove: '削除',
    removeOf: (name) => `${name}を削除`,
    removeText: (name) => `${name}ではログインできなくなります。`,
  },
  files: {
    title: 'このアプリのファイル',
    text: 'このブラウザーはアプリのファイルを保持し、サーバーから別のファイルを受け取る前に確認できます。ハッシュをリリースのものと照合してください。',
    pin: '変更されたファイルを拒否',
    kept: ({ version, date }) => `バージョン ${version}、${date}から保持`,
    hash: 'あなたのファイルのハッシュ',
    limits:
      '誤りや第三者によって変更されたファイルを検出します。サーバーの運営者は回避できます。ブラウザーは、ファイルを検査する部分を確認なしで置き換えるからです。',
    noWorker: 'このブラウザーはこのページのファイルを保持できません。',
    question: 'サーバーのファイルが異なります',
    questionText: ({ version, next }) =>
      `使用中のバージョンは ${version} です。サーバーはファイルのバージョンを ${next} としています。ハッシュがリリースと一致する場合だけ受け取ってください。`,
    next: '新しいファイルのハッシュ',
    take: '新しいファイルを受け取る',
    keep: '今のファイルを使い続ける',
    problems: {
      mismatch: 'サーバーのファイルが一覧のものと一致しません。あなたのファイルはそのままです。',
      incomplete: '一部のファイルを読み込めませんでした。あなたのファイルはそのままです。',
    },
    refused: 'サーバーがこのアプリの変更されたファイルを送ってきたため、拒否しました。',
    unlisted:
      'サーバーは、アプリのファイルを検査する部分を変更しましたが、一覧は変わっていません。このページを再読み込みする前に、ファイルをリリースと照合してください。',
  },
} satisfies typeof securityWords
