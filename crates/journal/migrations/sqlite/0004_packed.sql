-- Entries and answers in their packed form (src/packed.rs): who, what, why and the money of an entry are one value. The hash
-- of the entry before is that of the row before, and is kept in "archived" for the first row that is left. The program
-- packs what an older one wrote, and drops the tables it read it from.

DROP TRIGGER entry_is_not_changed;
DROP TRIGGER entry_is_not_deleted;
DROP INDEX entry_carried;
ALTER TABLE entry RENAME TO entry_of_0_2;

CREATE TABLE entry (
    stream INTEGER NOT NULL REFERENCES stream (id),
    version INTEGER NOT NULL CHECK (version >= 1),
    command BLOB NOT NULL CHECK (length(command) = 16),
    at INTEGER NOT NULL CHECK (at >= 0),
    carries INTEGER NOT NULL CHECK (carries IN (0, 1)),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    content BLOB NOT NULL,
    PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;

-- Finds the entry that a stream is started from, however long the stream is.
CREATE INDEX entry_carried ON entry (stream, version) WHERE carries = 1;

-- The last entry that was taken out, and its hash.
ALTER TABLE archived ADD COLUMN taken INTEGER;
ALTER TABLE archived ADD COLUMN hash BLOB CHECK (length(hash) = 32);
UPDATE archived SET (taken, hash) = (
    SELECT version - 1, previous FROM entry_of_0_2 AS left_there
    WHERE left_there.stream = archived.stream ORDER BY version LIMIT 1
);

DROP TRIGGER command_is_not_changed;
DROP TRIGGER command_is_not_deleted;
ALTER TABLE command RENAME TO command_of_0_2;

CREATE TABLE command (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    request BLOB NOT NULL CHECK (length(request) = 32),
    answer BLOB NOT NULL,
    digest BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entry_is_not_changed BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry of the log is never changed'); END;
CREATE TRIGGER entry_is_not_deleted BEFORE DELETE ON entry
WHEN NOT EXISTS (SELECT 1 FROM archived WHERE archived.stream = OLD.stream AND OLD.version <= archived.version)
BEGIN SELECT RAISE(ABORT, 'an entry of the log is deleted only when an archive has it'); END;
CREATE TRIGGER command_is_not_changed BEFORE UPDATE ON command
BEGIN SELECT RAISE(ABORT, 'the answer to a command is never changed'); END;
CREATE TRIGGER command_is_not_deleted BEFORE DELETE ON command
WHEN NOT EXISTS (SELECT 1 FROM archived_command WHERE archived_command.id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'the answer to a command is deleted only when an archive has it'); END;

-- The key that signs from the next checkpoint on, in the last one that the key before signs.
ALTER TABLE checkpoint ADD COLUMN successor BLOB CHECK (length(successor) = 32);
CREATE INDEX checkpoint_successor ON checkpoint (number) WHERE successor IS NOT NULL;
