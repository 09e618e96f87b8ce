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
      title: 'チームや会社',
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
    gaming: {
      title: 'ゲーム',
      text: '仲間を見つけ、プレイ中に話し、名場面を共有できます。',
      example: '夜の狩人',
      channels: [
        {
          name: 'お知らせ',
          topic: '更新とイベント',
        },
        {
          name: 'メンバー募集',
          topic: '誰が何をいつ遊ぶか',
        },
        {
          name: 'クリップ',
          topic: 'あなたの名場面',
        },
        {
          name: 'ロビー',
        },
        {
          name: 'ゲーム',
        },
      ],
    },
    study: {
      title: '勉強会',
      text: '助けを求め、ノートを共有し、一緒に勉強できます。',
      example: '代数学 II',
      channels: [
        {
          name: 'お知らせ',
          topic: '日程と連絡',
        },
        {
          name: '宿題',
          topic: '質問したり、教えたり',
        },
        {
          name: 'ノート',
          topic: 'まとめとリンク',
        },
        {
          name: '自習室',
        },
      ],
    },
    project: {
      title: 'オープンソースプロジェクト',
      text: 'リリースを知らせ、利用者を助け、コードについて話せます。',
      example: 'アオサギ',
      channels: [
        {
          name: 'お知らせ',
          topic: 'リリースと連絡',
        },
        {
          name: 'ヘルプ',
          topic: '利用者からの質問',
        },
        {
          name: '開発',
          topic: 'コード、レビュー、計画',
        },
        {
          name: '作品紹介',
          topic: 'これで作ったもの',
        },
        {
          name: 'ミーティング',
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
      rules: 'ルール',
      invite: '招待',
    },
    moderators: 'モデレーター',
    power: '管理できるロール',
    file: 'ファイルから',
    fileText: '別のサーバーの設定で保存したテンプレート。',
    fileWrong: 'このファイルはテンプレートではありません。',
    rulesTitle: 'ルールを決めましょう',
    rulesText: '新しいメンバーは書き込む前に同意します。',
    rulesExample: '1. 思いやりを持つ。\n2. スパム禁止。',
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
    call: 'ここでの最後の通話から5分後までメンバーです。',
    day: '1日だけメンバーになります。',
    isMember: 'すでにメンバーです。',
    over: 'この招待は無効になりました',
    overText: '期限が切れたか、使い切られたか、取り消されました。送ってくれた人に新しい招待を頼んでください。',
    unknown: '招待が見つかりません',
    unknownText: 'リンクが途中で切れている可能性があります。送られてきたリンク全体をもう一度開いてください。',
    banned: 'このサーバーには参加できません',
    bannedText: 'モデレーターによってBANされています。',
    join: 'サーバーに参加',
    notNow: '今はしない',
    back: '会話に戻る',
  },
} satisfies typeof firstWords
