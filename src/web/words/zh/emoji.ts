import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: '回应',
    add: '添加回应',
    react: (emoji) => `用 ${emoji} 回应`,
    one: (emoji, n, mine) => `${emoji}: ${count(n, '# 个回应')}${mine ? '，包括你的' : ''}`,
    by: (names, more, emoji) => `${listOf(more > 0 ? [...names, count(more, '另外 # 人')] : names)}用 ${emoji} 回应了`,
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
