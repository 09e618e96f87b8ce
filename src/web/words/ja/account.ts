// Printed from locales/ja/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'おかえりなさい',
    ended: '別のデバイスからログアウトされました。続けるにはログインしてください。未送信のメッセージは残っています。',
    name: 'ユーザー名またはメールアドレス',
    username: 'ユーザー名',
    email: 'メールアドレス',
    password: 'パスワード',
    login: 'ログイン',
    passkey: 'パスキーでログイン',
    register: 'アカウントを作成',
    forgot: 'パスワードをお忘れですか？',
    noAccount: 'アカウントをお持ちでないですか？',
    haveAccount: 'すでにアカウントをお持ちですか？',
    rulesTitle: '条件',
    rules: {
      length: '12文字以上',
      upper: '英大文字',
      lower: '英小文字',
      digit: '数字',
      special: '!@#$%^&* のいずれか',
    },
  },
  newLogin: ({ device, ip }) =>
    `アカウントに新しいログインがありました（${device}、${ip}）。心当たりがない場合は、設定でそのセッションを終了してください。`,
  securityChanged: {
    totp_on: 'アカウントに認証アプリが設定されました。',
    totp_off: 'アカウントの認証アプリがオフになりました。',
    recovery_codes: 'アカウントの新しいリカバリーコードが作成されました。',
    passkey_added: 'アカウントにパスキーが追加されました。',
    passkey_removed: 'アカウントからパスキーが削除されました。',
    identity_linked: 'アカウントがシングルサインオンと連携されました。',
    identity_unlinked: 'アカウントとシングルサインオンの連携が解除されました。',
  },
  unknownDevice: '不明なデバイス',
} satisfies typeof accountWords
