// Printed from locales/zh/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { digits } from '../plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author}（${place}）`,
  hidden: '一条新消息',
  file: '发送了文件',
  call: '正在呼叫你',
  reminder: '提醒',
  more: ({ n, text }) => `${`${digits(n)} 条新消息`}：${text}`,
  event: ({ title, time }) => `“${title}”将于${time}开始。`,
  promoted: (title) => `有空位给你了：${title}`,
} satisfies typeof noticeWords
