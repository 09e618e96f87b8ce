import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `${name}でログイン`,
  problems: {
    login_expired: '時間がかかりすぎたか、別のウィンドウで始められました。もう一度お試しください。',
    oidc_failed: 'ログインサービス側で失敗しました。もう一度試すか、このサーバーの運用者に聞いてください。',
    email_taken: 'このメールアドレスのアカウントがすでにあります。ログインして、セキュリティ設定で連携してください。',
    forbidden: 'あなたのアカウントはここにありません。この方法では新しく作れません。',
    identity_taken: 'このログインは別のアカウントと連携済みです。',
    identity_linked: 'アカウントはすでに連携済みです。',
    token_revoked: 'その間にセッションが終了しました。もう一度ログインしてください。',
    unavailable: 'ログインサーバーが応答しません。しばらくしてからお試しください。',
    last_way_in: 'ほかにログインする方法がなくなります。先にパスワードを設定するか、パスキーを追加してください。',
  },
  linked: 'アカウントを連携しました',
  proven: 'ありがとうございます。操作を続けてください。10分間は再び尋ねません。',
  title: 'シングルサインオン',
  text: (name) => `${name}を使うと、パスワードなしでログインできます。`,
  link: (name) => `${name}と連携`,
  since: (time) => `${time}に連携`,
  used: (time) => `最終利用 ${time}`,
  unlink: '連携を解除',
  unlinkOf: (name) => `${name}との連携を解除`,
  unlinkText: (name) => `${name}ではログインできなくなります。`,
} satisfies typeof signOnWords
