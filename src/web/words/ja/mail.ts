// Printed from locales/ja/mail.json. After a change there: bun run words
import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'パスワードをリセット',
    text: 'アカウントのメールアドレスを入力してください。新しいパスワードを設定するためのリンクを送ります。',
    send: 'リンクを送信',
    sent: 'このアドレスのアカウントがあれば、まもなくリンクが届きます。リンクは1時間有効です。',
  },
  reset: {
    title: '新しいパスワードを設定',
    text: 'すべてのデバイスからログアウトされます。その後、新しいパスワードでログインしてください。',
    save: 'パスワードを設定',
    done: 'パスワードを変更し、すべてのデバイスからログアウトしました。',
  },
  verify: {
    title: 'メールアドレスの確認',
    text: 'ここでアカウントを作成していない場合は、このページを閉じてください。最初の確認により、それ以前に追加された二要素認証、パスキー、連携、ボットはすべて削除されます。',
    confirm: 'このアドレスを確認',
    done: 'アドレスを確認しました。',
    taken: 'このアドレスはすでに別のアカウントで使われています。',
    go: '続ける',
  },
  confirmFirst: {
    title: 'メールアドレスを確認してください',
    text: (email) => `${email}にリンクを送信しました。開いて続けてください。`,
    done: '確認しました',
    notYet: 'アドレスはまだ確認されていません。',
  },
  own: {
    title: 'メール',
    current: '現在のアドレス',
    confirmed: '確認済み',
    unconfirmed: '未確認',
    resend: '確認メールを再送',
    resent: 'アドレスにリンクを送信しました。',
    next: '新しいメールアドレス',
    hint: '新しいアドレスにリンクが届きます。リンクを開くと、古いアドレスと置き換わります。',
    change: 'アドレスを変更',
    changing: '新しいアドレスにリンクを送信しました。',
  },
  linkGone: 'このリンクは期限切れか使用済みです。新しいリンクをリクエストしてください。',
  backToLogin: 'ログインに戻る',
} satisfies typeof mailWords
