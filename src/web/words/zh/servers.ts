// Printed from locales/zh/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: '服务器',
    add: '添加服务器',
    name: '服务器名称',
    viewedAs: (role) =>
      role === undefined ? '你正以无身份组成员的视角查看服务器。' : `你正以 ${role} 的视角查看服务器。`,
    stopViewing: '停止',
    gone: (name) => `${name} 已被删除。`,
  },
  channels: {
    browse: '浏览频道',
    list: '频道',
    private: '，私密',
    text: '文字',
    voice: '语音',
    none: '这里还没有内容',
    noneText: '你的身份组无法看到任何频道。服务器的管理人员可以更改。',
    noneToMake: '对话在频道中进行。创建第一个频道吧。',
    addTopic: '添加主题',
    outside: '无分类',
    moved: ({ name, place, category }) =>
      category === undefined ? `${name} 现在排在第 ${place} 位。` : `${name} 现在在 ${category} 中排在第 ${place} 位。`,
    moveHint: '按 Alt 加方向键可移动。',
    addTo: (name) => `在 ${name} 中新建频道`,
    make: {
      text: '新建文字频道',
      voice: '新建语音频道',
      category: '新建分类',
    },
    settings: (name) => `${name} 的设置`,
    taken: ({ n, limit }) => `${digits(n)}/${digits(limit)} 人`,
  },
  invite: {
    people: '邀请他人',
  },
} satisfies typeof serverWords
