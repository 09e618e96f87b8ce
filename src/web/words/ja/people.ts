// Printed from locales/ja/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'オンライン',
    idle: '離席中',
    dnd: '取り込み中',
    invisible: '非表示',
    offline: 'オフライン',
  },
  friends: {
    title: 'フレンド',
  },
  profile: {
    open: 'プロフィール',
  },
  deletedUser: '削除されたユーザー',
} satisfies typeof peopleWords
