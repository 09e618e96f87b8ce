/** A place: a channel, dm, group or thread that shows messages and takes new ones. */
export interface ChannelPlace {
  channel_id: number
}
