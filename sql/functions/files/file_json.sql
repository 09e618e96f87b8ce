-- A file as JSON.
create or replace function file_json(f files) returns json language sql stable begin atomic
  select row_to_json(wire) from (
    select f.id, f.uploader_id, f.message_id, dm_message_id(f) as dm_message_id, f.filename, f.content_type, f.size,
      f.width, f.height, f.duration_ms, f.waveform, f.alt, iso(f.created_at) as created_at
  ) wire;
end;
