// Printed from locales/zh/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: '贴纸',
  emojiTab: '表情',
  picturesTab: '图片',
  kinds: '类别',
  search: '搜索贴纸',
  none: '没有匹配的贴纸。',
  nothing: '这里没有你可以发送的贴纸。',
  send: ({ name, alt }) => `发送贴纸 ${name}：${alt}`,
  gone: '此贴纸已不存在。',
  hint: '不超过 512 KiB 的 PNG、APNG、WebP 或 GIF。超过 320 像素的图片会被缩小。',
  upload: '上传图片',
  name: '贴纸名称',
  alt: '描述',
  altHint: '图片内容，供看不到图片的人了解',
  space: ({ used, max }) => `此服务器的图片和音效占用 ${max} 中的 ${used}。`,
  edit: (name) => `编辑 ${name}`,
  delete: (name) => `删除 ${name}`,
  deleteText: '之后任何人都不能再发送。消息中仍会显示。',
  empty: '还没有贴纸',
  emptyText: '上传图片，为它命名并添加描述。每位成员都能发送。',
  counted: ({ n, max }) => `${n}/${max}`,
  problems: {
    too_many_stickers: '此服务器已有 60 张贴纸。请先删除一张。',
    too_many_bytes: '此服务器的图片和音效没有为它留下空间。请先删除贴纸、表情或音效。',
  },
  pictures: {
    keep: '收藏图片',
    kept: '图片已收藏。可在选择表情的地方找到。',
    send: (name) => `发送 ${name}`,
    remove: (name) => `移除 ${name}`,
    none: '还没有图片',
    noneText: '打开消息中的图片并选择“收藏图片”。只有你能看到自己的收藏。',
    problems: {
      too_many_favourites: '你已收藏 50 张图片。请先移除一张。',
      too_many_bytes: '你没有空间存放它。',
    },
  },
} satisfies typeof stickerWords
