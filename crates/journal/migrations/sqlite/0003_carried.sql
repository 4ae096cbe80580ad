-- Finds the entry that a stream is started from, however long the stream is.
CREATE INDEX entry_carried ON entry (stream, version) WHERE kind = 'carried.v1';

-- Up to which version the entries of a stream are in archives. Only these may be deleted, with the answers to their
-- commands, which are listed while they are.
CREATE TABLE archived (
    stream INTEGER NOT NULL PRIMARY KEY REFERENCES stream (id),
    version INTEGER NOT NULL CHECK (version >= 1)
) STRICT;

CREATE TABLE archived_command (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16)
) STRICT, WITHOUT ROWID;

DROP TRIGGER entry_is_not_deleted;
CREATE TRIGGER entry_is_not_deleted BEFORE DELETE ON entry
WHEN NOT EXISTS (SELECT 1 FROM archived WHERE archived.stream = OLD.stream AND OLD.version <= archived.version)
BEGIN SELECT RAISE(ABORT, 'an entry of the log is deleted only when an archive has it'); END;

DROP TRIGGER command_is_not_deleted;
CREATE TRIGGER command_is_not_deleted BEFORE DELETE ON command
WHEN NOT EXISTS (SELECT 1 FROM archived_command WHERE archived_command.id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'the answer to a command is deleted only when an archive has it'); END;
