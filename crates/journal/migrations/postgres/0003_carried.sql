-- Finds the entry that a stream is started from, however long the stream is.
CREATE INDEX entry_carried ON entry (stream, version) WHERE kind = 'carried.v1';

-- Up to which version the entries of a stream are in archives. Only these may be deleted, with the answers to their
-- commands, which are listed while they are.
CREATE TABLE archived (
    stream bigint PRIMARY KEY REFERENCES stream (id),
    version bigint NOT NULL CHECK (version > 0)
);

CREATE TABLE archived_command (
    id bytea PRIMARY KEY CHECK (octet_length(id) = 16)
);

CREATE FUNCTION journal_refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF tg_table_name = 'entry' THEN
        PERFORM FROM archived WHERE archived.stream = OLD.stream AND OLD.version <= archived.version;
    ELSE
        PERFORM FROM archived_command WHERE archived_command.id = OLD.id;
    END IF;
    IF NOT found THEN
        RAISE EXCEPTION '% is append-only: what no archive has is not deleted', tg_table_name
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
END
$$;

DROP TRIGGER entry_append_only ON entry;
CREATE TRIGGER entry_append_only BEFORE UPDATE OR TRUNCATE ON entry
    FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse();
CREATE TRIGGER entry_deletion BEFORE DELETE ON entry
    FOR EACH ROW EXECUTE FUNCTION journal_refuse_deletion();

DROP TRIGGER command_append_only ON command;
CREATE TRIGGER command_append_only BEFORE UPDATE OR TRUNCATE ON command
    FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse();
CREATE TRIGGER command_deletion BEFORE DELETE ON command
    FOR EACH ROW EXECUTE FUNCTION journal_refuse_deletion();
