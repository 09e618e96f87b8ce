/** Where messages are shown and written: a channel of any type. */
export interface ChannelPlace {
  channel_id: number
}
