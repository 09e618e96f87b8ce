// Printed from locales/zh/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'

export default {
  title: '搜索',
  field: '搜索消息',
  hint: '词语、"短语"、-排除词或筛选条件',
  where: '搜索范围',
  everywhere: '所有位置',
  clear: '清除搜索',
  searching: '正在搜索…',
  found: ({ n, hasMore }) => (n === 0 ? '没有找到。' : hasMore ? `${digits(n)} 条以上消息` : `${digits(n)} 条消息`),
  nothing: '没有找到消息',
  nothingText: '尝试更少或不同的词，或搜索所有位置。',
  start: '最新的消息排在最前。只搜索你能阅读的内容。',
  suggestions: '筛选条件',
  jump: ({ author, place }) => `前往 ${author} 在 ${place} 的消息`,
  twice: (filter) => `“${filter}”只能使用一次。`,
  unknown: {
    from: (name) => `这里没有叫“${name}”的人。`,
    mentions: (name) => `这里没有叫“${name}”的人。`,
    in: (name) => `没有你能看到的频道“${name}”。`,
    has: (name) => `“${name}”不是筛选条件。请使用 link、file、image 或 embed。`,
    pinned: (name) => `“${name}”不是筛选条件。请使用 true 或 false。`,
    before: (name) => `“${name}”不是日期。请写成 2026-01-31 的形式。`,
    after: (name) => `“${name}”不是日期。请写成 2026-01-31 的形式。`,
  },
  filters: {
    from: '由某人发送',
    in: '在某个频道',
    has: 'link、file、image 或 embed',
    mentions: '提及某人',
    before: '在某日期之前',
    after: '在某日期或之后',
    pinned: 'true 或 false',
  },
} satisfies typeof searchWords
