-- The log in one SQLite file. PostgreSQL has the same tables under the same names.

CREATE TABLE stream (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL CHECK (version >= 1),
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE entry (
    stream INTEGER NOT NULL REFERENCES stream (id),
    version INTEGER NOT NULL CHECK (version >= 1),
    command BLOB NOT NULL CHECK (length(command) = 16),
    actor TEXT NOT NULL,
    at INTEGER NOT NULL CHECK (at >= 0),
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    transfers TEXT NOT NULL,
    previous BLOB NOT NULL CHECK (length(previous) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    cause TEXT,
    PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    balance INTEGER NOT NULL,
    may_be_negative INTEGER NOT NULL CHECK (may_be_negative IN (0, 1)),
    CHECK (balance >= 0 OR may_be_negative)
) STRICT;

CREATE TABLE command (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    request BLOB NOT NULL CHECK (length(request) = 32),
    answer TEXT NOT NULL,
    digest BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT, WITHOUT ROWID;

CREATE TABLE sealed (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

-- A row stays when its lease ends, so that epochs never repeat. Times are milliseconds of the database's clock.
CREATE TABLE lease (
    table_name TEXT NOT NULL PRIMARY KEY,
    node TEXT NOT NULL,
    epoch INTEGER NOT NULL CHECK (epoch >= 1),
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint (
    number INTEGER PRIMARY KEY CHECK (number >= 1),
    previous BLOB NOT NULL CHECK (length(previous) = 32),
    heads TEXT NOT NULL,
    at INTEGER NOT NULL CHECK (at >= 0),
    key BLOB NOT NULL CHECK (length(key) = 32),
    signature BLOB NOT NULL CHECK (length(signature) = 64)
) STRICT;

-- What is written stays written: a mistake is corrected by a further entry.
CREATE TRIGGER entry_is_not_changed BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry of the log is never changed'); END;
CREATE TRIGGER entry_is_not_deleted BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry of the log is never deleted'); END;
CREATE TRIGGER command_is_not_changed BEFORE UPDATE ON command
BEGIN SELECT RAISE(ABORT, 'the answer to a command is never changed'); END;
CREATE TRIGGER command_is_not_deleted BEFORE DELETE ON command
BEGIN SELECT RAISE(ABORT, 'the answer to a command is never deleted'); END;
CREATE TRIGGER checkpoint_is_not_changed BEFORE UPDATE ON checkpoint
BEGIN SELECT RAISE(ABORT, 'a checkpoint is never changed'); END;
CREATE TRIGGER checkpoint_is_not_deleted BEFORE DELETE ON checkpoint
BEGIN SELECT RAISE(ABORT, 'a checkpoint is never deleted'); END;
