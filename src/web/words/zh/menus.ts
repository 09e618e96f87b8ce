// Printed from locales/zh/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `${name} 的菜单`,
  write: '发消息',
  accept: '接受好友请求',
  read: '标为已读',
  notifications: '通知…',
  copyLink: '复制链接',
  settings: '设置…',
  events: '活动',
  hide: '隐藏对话',
  deleteChannel: '删除频道',
  deleteCategory: '删除分类',
  moveTo: '移动到…',
  serverSettings: '服务器设置',
  leaveServer: '离开服务器',
  leaveServerText: (name) => `要回到 ${name}，你需要新的邀请。`,
} satisfies typeof menuWords
