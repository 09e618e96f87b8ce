import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: 'メッセージを報告',
  reportProfile: 'プロフィールを報告',
  reason: '理由',
  note: '補足（任意）',
  readers: '誰が読みますか？',
  toModerators: (server) => `${server} のモデレーター`,
  toOperator: 'このサービスの運営者のみ',
  readByModerators: (server) =>
    `${server} のモデレーターのうち、このメンバーより上位で、このチャンネルを読める人が読みます。誰が報告したかも表示されます。`,
  readByOperator: 'このサービスの運営者だけが読み、モデレーターは読みません。誰が報告したかも表示されます。',
  kept: '現在の本文、その前の 5 件のメッセージ、ファイルが渡されます。',
  keptProfile: '現在の名前と画像が渡されます。',
  send: '報告を送信',
  sent: '報告を送信しました。ありがとうございます。',
  reasons: {
    spam: 'スパムや広告',
    harassment: '嫌がらせやいじめ',
    hate: '特定の集団への憎悪',
    violence: '暴力や脅迫',
    sexual: '望まない性的な内容',
    minor_safety: '未成年者への危害',
    self_harm: '自傷や自殺',
    illegal: '違法な内容',
    impersonation: 'なりすまし',
    other: 'その他',
  },
} satisfies typeof moderationWords
