/** Columns of an `AuditLink`. A Date has no microseconds. */
export const LINK_COLUMNS = `account_id AS "accountId", seq,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at,
  actor_type AS "actorType", actor_id AS "actorId", actor_name AS "actorName", address, request_id AS "requestId",
  action, resource_id AS "resourceId", fields, details, previous_hash AS "previousHash", hash`;
