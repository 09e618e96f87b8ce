// Printed from locales/zh/friends.json. After a change there: bun run words
import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: '好友',
    pending_incoming: '想加你为好友',
    pending_outgoing: '请求已发送',
    blocked: '已屏蔽',
  },
  tabs: {
    friends: '好友',
    waiting: '请求',
    blocked: '已屏蔽',
    find: '找人',
  },
  none: {
    friends: ['还没有好友', '添加好友后，可以查看谁在线、发消息、通话和创建群组。'],
    waiting: ['没有待处理的请求', '你发送或收到的好友请求会显示在这里，直到得到答复。'],
    blocked: ['没有屏蔽任何人', '被你屏蔽的人无法给你发消息或打电话，也不会收到通知。'],
  },
  nobody: '没有找到人',
  nobodyText: '请输入完整的用户名，或显示名称的一部分。',
  search: '用户名或显示名称',
  searchHint: '完整的用户名，或显示名称的一部分。',
  find: '搜索',
  add: '添加好友',
  accept: '接受',
  decline: '拒绝',
  cancel: '取消请求',
  remove: '删除好友',
  block: '屏蔽',
  unblock: '取消屏蔽',
  messageRequests: {
    title: '消息请求',
    text: (name) =>
      `${name} 想给你发消息。对方不会知道你是否读过。如果你回复或接受，对方就可以像你认识的人一样给你发消息。`,
    hint: '陌生人的消息在这里等待。它们不会通知你，图片也会被遮住。',
    ignore: '忽略',
    ignored: '已忽略',
    none: '没有消息请求',
  },
} satisfies typeof friendWords
