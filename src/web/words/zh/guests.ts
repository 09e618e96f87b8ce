// Printed from locales/zh/guests.json. After a change there: bun run words
import type { guestWords } from '../guests.ts'

export default {
  join: '以访客身份加入',
  name: '你的名字',
  hint: '无需账号，有效 24 小时。在此期间可以将其转为长期账号。',
  keep: '保留此账号',
  keepText: '你是访客。选择用户名和密码后，这个账号连同你写的所有内容都归你所有。',
  ends: (time) => `否则它将结束：${time}。`,
} satisfies typeof guestWords
