-- Entries and answers in their packed form (src/packed.rs): who, what, why and the money of an entry are one value. The hash
-- of the entry before is that of the row before, and is kept in "archived" for the first row that is left. The program
-- packs what an older one wrote, and drops the tables it read it from.

DROP INDEX entry_carried;
DROP TRIGGER entry_append_only ON entry;
DROP TRIGGER entry_deletion ON entry;
DROP TRIGGER entry_by_this_form ON entry;
DROP TRIGGER command_append_only ON command;
DROP TRIGGER command_deletion ON command;
ALTER TABLE entry RENAME TO entry_of_0_2;
ALTER TABLE entry_of_0_2 RENAME CONSTRAINT entry_pkey TO entry_of_0_2_pkey;
ALTER TABLE command RENAME TO command_of_0_2;
ALTER TABLE command_of_0_2 RENAME CONSTRAINT command_pkey TO command_of_0_2_pkey;

CREATE TABLE entry (
    stream bigint NOT NULL REFERENCES stream (id),
    version bigint NOT NULL CHECK (version > 0),
    command bytea NOT NULL CHECK (octet_length(command) = 16),
    at bigint NOT NULL CHECK (at >= 0),
    carries boolean NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    content bytea NOT NULL,
    PRIMARY KEY (stream, version)
);
-- It is packed already.
ALTER TABLE entry ALTER COLUMN content SET STORAGE EXTERNAL;

-- Finds the entry that a stream is started from, however long the stream is.
CREATE INDEX entry_carried ON entry (stream, version) WHERE carries;

CREATE TABLE command (
    id bytea PRIMARY KEY CHECK (octet_length(id) = 16),
    request bytea NOT NULL CHECK (octet_length(request) = 32),
    answer bytea NOT NULL,
    digest bytea NOT NULL CHECK (octet_length(digest) = 32)
);

-- The last entry that was taken out, and its hash.
ALTER TABLE archived ADD COLUMN taken bigint, ADD COLUMN hash bytea CHECK (octet_length(hash) = 32);
UPDATE archived SET (taken, hash) = (
    SELECT version - 1, previous FROM entry_of_0_2 AS left_there
    WHERE left_there.stream = archived.stream ORDER BY version LIMIT 1
);

-- The hash of an entry of a stream: of its row, or the one that was noted when it was taken out.
CREATE FUNCTION journal_hash(of_stream bigint, of_version bigint) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT entry.hash FROM entry WHERE entry.stream = of_stream AND entry.version = of_version),
        (SELECT archived.hash FROM archived WHERE archived.stream = of_stream AND archived.taken = of_version)
    )
$$;

CREATE TRIGGER entry_append_only BEFORE UPDATE OR TRUNCATE ON entry
    FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse();
CREATE TRIGGER entry_deletion BEFORE DELETE ON entry
    FOR EACH ROW EXECUTE FUNCTION journal_refuse_deletion();
CREATE TRIGGER entry_by_this_form AFTER INSERT ON entry FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse_older();
CREATE TRIGGER command_append_only BEFORE UPDATE OR TRUNCATE ON command
    FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse();
CREATE TRIGGER command_deletion BEFORE DELETE ON command
    FOR EACH ROW EXECUTE FUNCTION journal_refuse_deletion();

-- What a transaction writes, in one round trip, as journal_write did (0001_journal.sql).
CREATE FUNCTION journal_write_packed(
    fence_tables text[], fence_nodes text[], fence_epochs bigint[],
    stream_names text[], stream_expected bigint[], stream_previous bytea[], stream_versions bigint[],
    stream_hashes bytea[],
    command_ids bytea[], command_requests bytea[], command_answers bytea[], command_digests bytea[],
    entry_streams text[], entry_versions bigint[], entry_commands bytea[], entry_ats bigint[], entry_carries boolean[],
    entry_hashes bytea[], entry_contents bytea[],
    account_names text[], account_changes bigint[], account_may_be_negative boolean[],
    sealed_kinds text[], sealed_keys text[], sealed_values bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(fence_tables) > 0 THEN
        PERFORM journal_fence(fence_tables, fence_nodes, fence_epochs);
    END IF;
    IF cardinality(stream_names) > 0 THEN
        PERFORM journal_grow(stream_names, stream_expected, stream_previous, stream_versions, stream_hashes);
    END IF;
    IF cardinality(command_ids) > 0 THEN
        INSERT INTO command (id, request, answer, digest)
            SELECT * FROM unnest(command_ids, command_requests, command_answers, command_digests)
                AS new (id, request, answer, digest)
            ORDER BY new.id;
    END IF;
    IF cardinality(entry_streams) > 0 THEN
        INSERT INTO entry (stream, version, command, at, carries, hash, content)
            SELECT stream.id, new.version, new.command, new.at, new.carries, new.hash, new.content
            FROM unnest(
                entry_streams, entry_versions, entry_commands, entry_ats, entry_carries, entry_hashes, entry_contents
            ) AS new (stream, version, command, at, carries, hash, content)
            JOIN stream ON stream.name = new.stream;
    END IF;
    IF cardinality(account_names) > 0 THEN
        PERFORM journal_move(account_names, account_changes, account_may_be_negative);
    END IF;
    IF cardinality(sealed_kinds) > 0 THEN
        PERFORM journal_keep(sealed_kinds, sealed_keys, sealed_values);
    END IF;
END
$$;

-- A node of an older program that is still running writes nothing more, and says why.
CREATE OR REPLACE FUNCTION journal_write(
    fence_tables text[], fence_nodes text[], fence_epochs bigint[],
    stream_names text[], stream_expected bigint[], stream_previous bytea[], stream_versions bigint[],
    stream_hashes bytea[],
    command_ids bytea[], command_requests bytea[], command_answers text[], command_digests bytea[],
    entry_streams text[], entry_versions bigint[], entry_commands bytea[], entry_actors text[], entry_ats bigint[],
    entry_kinds text[], entry_bodies text[], entry_transfers text[], entry_previous bytea[], entry_hashes bytea[],
    entry_causes text[],
    account_names text[], account_changes bigint[], account_may_be_negative boolean[],
    sealed_kinds text[], sealed_keys text[], sealed_values bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a newer program has upgraded this database; start this node with the newer program'
        USING ERRCODE = '42ML1';
END
$$;

-- The key that signs from the next checkpoint on, in the last one that the key before signs.
ALTER TABLE checkpoint ADD COLUMN successor bytea CHECK (octet_length(successor) = 32);
CREATE INDEX checkpoint_successor ON checkpoint (number) WHERE successor IS NOT NULL;
