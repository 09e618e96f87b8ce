// Printed from locales/ja/later.json. After a change there: bun run words
import type { laterWords } from '../later.ts'

export default {
  at: '別の日時',
  saved: {
    title: '保存済み',
    none: '保存したものはまだありません',
    noneText: 'メッセージのメニューで「メッセージを保存」を選びます。保存したものはあなただけに表示されます。',
    note: 'メモ',
    noteText: 'あなただけに表示されます。',
    remind: 'リマインド',
    set: 'リマインダーを設定',
    until: (time) => `リマインダー: ${time}`,
    since: (time) => `リマインダー: ${time}から未対応`,
    clear: 'リマインダーを削除',
    done: '完了',
    edit: 'メモとリマインダー…',
    remove: '保存を取り消す',
  },
  scheduled: {
    title: '予約済み',
    none: '予約はありません',
    noneText: 'メッセージを書き、送信する代わりに「後で送信」を選びます。',
    schedule: '予約する',
    at: (time) => `${time}に送信されます`,
    edit: '編集…',
    held: 'セッションが終了されたか、バックアップが復元されたため、予約したメッセージは保留されています。確認してから承認してください。',
    isHeld: '承認されるまで保留中',
    confirm: 'すべて承認',
    overdue: '未送信: 予定の時刻を過ぎていました。',
  },
} satisfies typeof laterWords
