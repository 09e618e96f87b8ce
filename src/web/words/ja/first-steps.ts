// Printed from locales/ja/first-steps.json. After a change there: bun run words
import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'

export default {
  templates: {
    friends: {
      title: '友達と家族',
      text: '予定を立て、写真を共有し、少人数で話せます。',
      example: '湖畔の家',
      channels: [
        {
          name: '予定',
          topic: '次の予定と日時',
        },
        {
          name: '写真',
          topic: 'よく撮れた写真を共有',
        },
        {
          name: 'リビング',
        },
      ],
    },
    community: {
      title: 'クラブやコミュニティ',
      text: '全員へのお知らせ、あいさつの場所、さまざまな話題のチャンネル。',
      example: '野鳥観察の会',
      channels: [
        {
          name: 'お知らせ',
          topic: '全員に知ってほしいこと',
        },
        {
          name: '自己紹介',
          topic: 'はじめまして、のあいさつに',
        },
        {
          name: '質問',
          topic: '何でも聞いて',
        },
        {
          name: '集会所',
        },
      ],
    },
    team: {
      title: 'チームやプロジェクト',
      text: 'スレッドでタスクを話し合い、決定を記録し、ボイスで集まれます。',
      example: '堰の改修',
      channels: [
        {
          name: 'タスク',
          topic: '誰が何をいつまでに',
        },
        {
          name: '決定事項',
          topic: '何をなぜ決めたか',
        },
        {
          name: '雑談',
          topic: '仕事以外のすべて',
        },
        {
          name: '朝会',
        },
      ],
    },
  },
  register: {
    title: 'アカウントを作成',
    closed: 'このサーバーでは新規登録を受け付けていません。',
    invited: (server) => `次に${server}に参加します。`,
    name: '何と呼ばれたいですか？',
    nameHint: '全員に表示されます。いつでも変更できます。',
    usernameHint: 'ログインに使います。ほかの人には見えません。',
    nameNotKept: 'アカウントは作成されましたが、名前を保存できませんでした。設定でもう一度入力してください。',
  },
  home: {
    title: (name) => `ようこそ、${name}さん`,
    text: 'サーバーで、またはフレンドと話しましょう。どこから始めますか？',
    make: 'サーバーを作成',
    makeText: '自分で選んだ人たちのための、あなたの場所です。',
    join: '招待で参加',
    joinText: 'リンクを受け取りましたか？ここに貼り付けてください。',
    link: '招待リンクまたはコード',
    open: '招待を開く',
    find: 'フレンドを探す',
    findText: 'ユーザー名または表示名で検索します。',
  },
  setup: {
    steps: {
      name: '名前',
      picture: '画像',
      channels: 'チャンネル',
      invite: '招待',
    },
    progress: '手順',
    whom: '誰のためのサーバーですか？',
    next: '続ける',
    skip: '今はスキップ',
    pictureTitle: '画像を追加',
    pictureText: '画像があると、名前だけよりも見つけやすくなります。PNG、JPEG、WebP、GIF、AVIF形式。',
    channelsTitle: '何について話しますか？',
    channelsText: 'チャンネルで話題を分けられます。最初に使うものを選んでください。いつでも変更できます。',
    general: 'すでにあります。何でも話せます',
    readOnly: (topic) => `${topic}。全員が読めて、書けるのはモデレーターだけ`,
    another: '別のチャンネル',
    add: '追加',
    make: (n) => (n === 0 ? '続ける' : `${digits(n)}個のチャンネルを作成`),
    inviteTitle: '最初のメンバーを招待しましょう',
    inviteText: 'このリンクを知っている人は参加できます。1週間有効です。',
    share: '共有…',
    open: (name) => `${name}を開く`,
  },
  invite: {
    from: 'さんがあなたをサーバーに招待しています',
    without: 'サーバーへの招待が届いています',
    online: (n) => `${digits(n)}人がオンライン`,
    until: (time) => `この招待は${time}まで有効です。`,
    isMember: 'すでにメンバーです。',
    over: 'この招待は無効になりました',
    overText: '期限が切れたか、使い切られたか、取り消されました。送ってくれた人に新しい招待を頼んでください。',
    unknown: '招待が見つかりません',
    unknownText: 'リンクが途中で切れている可能性があります。送られてきたリンク全体をもう一度開いてください。',
    banned: 'このサーバーには参加できません',
    bannedText: 'モデレーターによってBANされています。',
  },
} satisfies typeof firstWords
