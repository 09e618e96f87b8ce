// Printed from locales/ja/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: 'ゲストとして参加',
  name: 'あなたの名前',
  hint: 'アカウントなしで24時間参加できます。その間に、ずっと残るアカウントにできます。',
  keep: 'このアカウントを残す',
  keepText: 'あなたはゲストです。ユーザー名とパスワードを決めると、書いたものを含めてこのアカウントを残せます。',
  ends: (time) => `残さない場合の終了：${time}`,
} satisfies typeof guestWords
