// Printed from locales/ja/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `${name}でログイン`,
  problems: {
    login_expired: '時間がかかりすぎたか、別のウィンドウで開始されました。もう一度お試しください。',
    oidc_failed: 'ログインサービス側でログインに失敗しました。もう一度試すか、このサーバーの運用者に聞いてください。',
    email_taken:
      'このメールアドレスを使うアカウントがすでにあります。ログインして、セキュリティ設定で連携してください。',
    forbidden: 'ここにあなたのアカウントはありません。この方法では新しいアカウントを作成できません。',
    identity_taken: 'このログインはすでに別のアカウントと連携されています。',
    identity_linked: 'アカウントはすでに連携済みです。',
    token_revoked: 'セッションが終了しました。もう一度ログインしてください。',
    unavailable: 'ログインサーバーが応答しません。しばらくしてからお試しください。',
    last_way_in: 'これが唯一のログイン方法です。先にパスワードを設定するか、パスキーを追加してください。',
  },
  linked: 'アカウントを連携しました',
  proven: 'ありがとうございます。操作を続けてください。10分間は再び尋ねません。',
  title: 'シングルサインオン',
  text: (name) => `${name}を使って、パスワードなしでログインできます。`,
  link: (name) => `${name}と連携`,
  since: (time) => `${time}に連携`,
  used: (time) => `最終利用 ${time}`,
  unlink: '連携を解除',
  unlinkOf: (name) => `${name}との連携を解除`,
  unlinkText: (name) => `${name}ではログインできなくなります。`,
} satisfies typeof signOnWords
