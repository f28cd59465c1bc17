-- Facts about this database: identities of the chains it was filled from, the halt reason.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- How far each chain was read: every block up to and including this one.
CREATE TABLE cursors (
  chain  TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  hash   TEXT NOT NULL,
  final_number    INTEGER NOT NULL,
  final_hash      TEXT NOT NULL,
  final_timestamp INTEGER NOT NULL
) STRICT;

-- Blocks that may still leave the chain, and those that hold a log.
CREATE TABLE blocks (
  chain     TEXT NOT NULL,
  number    INTEGER NOT NULL,
  hash      TEXT NOT NULL,
  parent    TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  seen_at   INTEGER NOT NULL,
  PRIMARY KEY (chain, number)
) STRICT;

-- The escrow's logs. A message can come back in another block, so the block hash is part of the key.
CREATE TABLE logs (
  chain            TEXT NOT NULL,
  block_hash       TEXT NOT NULL,
  log_index        INTEGER NOT NULL,
  block_number     INTEGER NOT NULL,
  transaction_hash TEXT NOT NULL,
  agreement_id     TEXT NOT NULL,
  name             TEXT NOT NULL,
  data             TEXT NOT NULL,
  PRIMARY KEY (chain, block_hash, log_index)
) STRICT;
CREATE INDEX logs_by_agreement ON logs (agreement_id, block_number, log_index);
CREATE INDEX logs_by_block ON logs (chain, block_number);

-- Terms by content: the id is their digest, so a row never changes.
CREATE TABLE agreements (
  agreement_id   TEXT PRIMARY KEY,
  terms          TEXT NOT NULL,
  ignored_reason TEXT,
  first_seen_at  INTEGER NOT NULL
) STRICT;

-- One row is one job: an agreement with one submission.
CREATE TABLE submissions (
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  state           TEXT NOT NULL,
  data            TEXT NOT NULL,
  version         INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  next_at         INTEGER,            -- milliseconds, wall clock; null when nothing is owed
  deadline_at     INTEGER,            -- seconds, chain time
  anchor_block    INTEGER,            -- block whose finality is awaited
  last_error      TEXT,
  lease_owner     TEXT,
  lease_until     INTEGER,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  PRIMARY KEY (agreement_id, submission_hash)
) STRICT;
CREATE INDEX submissions_due ON submissions (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX submissions_by_state ON submissions (state, updated_at);
CREATE INDEX submissions_by_deadline ON submissions (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX submissions_by_anchor ON submissions (anchor_block) WHERE anchor_block IS NOT NULL;

-- Append-only history.
CREATE TABLE transitions (
  sequence        INTEGER PRIMARY KEY AUTOINCREMENT,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  from_state      TEXT,
  to_state        TEXT NOT NULL,
  event           TEXT NOT NULL,
  reason          TEXT,
  at              INTEGER NOT NULL
) STRICT;
CREATE INDEX transitions_by_submission ON transitions (agreement_id, submission_hash, sequence);

-- Intents to send a transaction: one nonce, one purpose.
CREATE TABLE outbox (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  purpose         TEXT NOT NULL CHECK (purpose IN ('relay', 'settle')),
  attempt         INTEGER NOT NULL,
  chain           TEXT NOT NULL,
  signer          TEXT NOT NULL,
  nonce           INTEGER NOT NULL,
  status          TEXT NOT NULL CHECK (status IN ('open', 'included', 'closed')),
  judge_tx        TEXT,
  created_at      INTEGER NOT NULL,
  UNIQUE (agreement_id, submission_hash, purpose, attempt)
) STRICT;
-- A nonce that was given up (closed) may be used again; one that is in flight or used may not.
CREATE UNIQUE INDEX outbox_nonce ON outbox (chain, signer, nonce) WHERE status <> 'closed';

-- Every set of signed bytes that ever existed for an intent, stored before it could leave.
CREATE TABLE attempts (
  transaction_hash TEXT PRIMARY KEY,
  outbox_id        INTEGER NOT NULL REFERENCES outbox (id),
  raw              TEXT NOT NULL,
  fee              TEXT NOT NULL,     -- highest price per gas, decimal base units
  signed_at        INTEGER NOT NULL,
  sent_at          INTEGER,           -- last time a node took it
  sent_at_block    INTEGER
) STRICT;
CREATE INDEX attempts_by_outbox ON attempts (outbox_id);

-- Sign once: the primary key makes a second outcome for one submission impossible.
CREATE TABLE signed (
  escrow          TEXT NOT NULL,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  digest          TEXT NOT NULL,
  operator        TEXT NOT NULL,
  verdict         TEXT NOT NULL,      -- the certificate, JSON
  record          TEXT NOT NULL,      -- the verdict record, canonical JSON
  signature       TEXT NOT NULL,
  signed_at       INTEGER NOT NULL,
  PRIMARY KEY (escrow, agreement_id, submission_hash)
) STRICT;

-- Verified signatures of members, our own included.
CREATE TABLE attestations (
  digest          TEXT NOT NULL,
  operator        TEXT NOT NULL,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  signature       TEXT NOT NULL,
  received_at     INTEGER NOT NULL,
  PRIMARY KEY (digest, operator)
) STRICT;
CREATE INDEX attestations_by_submission ON attestations (agreement_id, submission_hash);

-- Verdict records by content, as served beside the attestations.
CREATE TABLE verdicts (
  verdict_hash    TEXT PRIMARY KEY,
  agreement_id    TEXT NOT NULL,
  submission_hash TEXT NOT NULL,
  record          TEXT NOT NULL
) STRICT;

-- Agreement and submission documents; the key is the SHA-256 of the bytes.
CREATE TABLE documents (
  hash      TEXT PRIMARY KEY,
  kind      TEXT NOT NULL CHECK (kind IN ('agreement', 'submission')),
  bytes     BLOB NOT NULL,
  stored_at INTEGER NOT NULL
) STRICT;
