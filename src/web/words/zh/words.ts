// Printed from locales/zh/words.json. After a change there: bun run words
import type { words } from '../words.ts'
import { badge, digits } from '../plural.ts'
import emoji from './emoji.ts'
import messages from './messages.ts'
import notifications from './notifications.ts'
import people from './people.ts'
import servers from './servers.ts'
import shortcuts from './shortcuts.ts'
import threads from './threads.ts'
import voice from './voice.ts'
import errors from './errors.ts'
import rules from './rules.ts'

export default {
  ...emoji,
  ...messages,
  ...notifications,
  ...people,
  ...servers,
  ...shortcuts,
  ...threads,
  ...voice,
  settings: {
    title: '设置',
  },
  conversations: '对话',
  search: {
    open: '搜索消息',
  },
  sizes: ['B', 'KB', 'MB', 'GB'],
  loading: '正在加载…',
  unreachable: '无法连接服务器。正在重试…',
  reconnecting: '连接已断开。正在重新连接…',
  ended: '此窗口已断开连接。请重新加载页面以继续。',
  menuUnread: '频道和服务器，有未读内容',
  skip: '跳到消息',
  menu: '频道和服务器',
  tools: '关于此处的更多内容',
  close: '关闭',
  cancel: '取消',
  save: '保存',
  saved: '已保存',
  copy: '复制',
  copied: '已复制',
  notLoaded: '无法加载页面的这一部分。请重试，或重新加载页面。',
  notCopied: '浏览器不允许复制。',
  more: '显示更多',
  owner: '所有者',
  bot: '机器人',
  guest: '访客',
  membersTitle: '成员',
  members: (n) => `${digits(n)} 位成员`,
  andMore: (n) => `另外 ${digits(n)} 位`,
  named: ({ n, isAny, name }) => (n === 0 ? (isAny ? `${name}，有未读消息` : name) : `${name}，${badge(n)} 条未读`),
  draft: '草稿',
  withDraft: '，有草稿',
  failed: (reason) => `操作未成功：${reason}`,
  problems: {
    ...errors,
    invalid_credentials: '名称或密码错误。',
    rate_limited: '尝试次数过多。',
    invite_gone: '此邀请已过期或已用完。请索要新的邀请。',
    not_found: '内容不存在，或你无权访问。',
    banned: '你已被此服务器封禁。',
    storage_full: '服务器已没有空间存放新消息和文件。',
    offline: '无法连接服务器。',
  },
  rules,
} satisfies typeof words
