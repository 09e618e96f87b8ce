-- The head of a device log after a change. It commits to all changes before and to the keys after it, in ascending
-- order. src/web/voice/sealing/device-log.ts computes the same.
create or replace function device_log_head(p_previous bytea, p_account bigint, p_length int, p_keys bytea[])
returns bytea language sql immutable
  return sha256(convert_to('parley device log' || chr(10) || encode(p_previous, 'hex') || chr(10) || p_account || ' '
    || p_length || chr(10) || array_to_string(array(select encode(k.key, 'hex')
      from unnest(p_keys) with ordinality k (key, at) order by k.at), ' '), 'UTF8'));
