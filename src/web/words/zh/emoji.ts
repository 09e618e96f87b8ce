// Printed from locales/zh/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { digits, listOf } from '../plural.ts'

export default {
  reactions: {
    bar: '回应',
    add: '添加回应',
    react: (emoji) => `用 ${emoji} 回应`,
    one: ({ emoji, n, isMine }) => `${emoji}: ${`${digits(n)} 个回应`}${isMine ? '，包括你的' : ''}`,
    by: ({ names, emoji }) => `${listOf(names)}用 ${emoji} 回应了`,
    others: (n) => `另外 ${digits(n)} 人`,
    tooMany: '此消息已有 20 种不同的回应。',
    refused: '无法保存你的回应。',
    all: '全部',
  },
  pins: {
    title: '置顶消息',
    pin: '置顶消息',
    unpin: '取消置顶',
    unpinText: '消息会留在原处。',
    pinned: '已置顶',
    show: '查看',
    showAll: '查看所有置顶消息',
  },
  emoji: {
    insert: '插入表情',
    suggestions: '表情建议',
    add: '添加表情',
  },
} satisfies typeof emojiWords
