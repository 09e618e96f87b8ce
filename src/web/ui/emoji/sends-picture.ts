/** How the picker sends a sticker or kept picture. */
export interface SendsPicture {
  /** The draft of a message without text, which answers what the composer answers. */
  draft: () => { content: string; reply_to_id: number | null; reply_mention?: boolean }
  onSent: () => void
}
