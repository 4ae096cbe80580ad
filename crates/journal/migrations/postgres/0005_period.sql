-- The log in periods: each has a partition of its own, so that one that archives have goes in one step, however long it is. A
-- row belongs to the period in which it was written, by a number that says nothing else. What must stay of periods that went
-- is in period 0.

CREATE TABLE period (
    number integer PRIMARY KEY CHECK (number > 0),
    began timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO period (number) VALUES (1);

-- Where each stream ended when the present period began.
CREATE TABLE period_start (
    stream bigint PRIMARY KEY,
    version bigint NOT NULL
);

CREATE FUNCTION journal_period() RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT max(number) FROM period
$$;

-- What there was is the first period.
DROP TRIGGER entry_append_only ON entry;
DROP TRIGGER entry_deletion ON entry;
DROP TRIGGER entry_by_this_form ON entry;
DROP TRIGGER command_append_only ON command;
DROP TRIGGER command_deletion ON command;
DROP FUNCTION journal_refuse_deletion();
DROP FUNCTION journal_refuse_older();
DROP TABLE archived_command;
ALTER TABLE entry RENAME TO entry_1;
ALTER TABLE entry_1 RENAME CONSTRAINT entry_pkey TO entry_1_pkey;
ALTER TABLE entry_1 ADD COLUMN period integer NOT NULL DEFAULT 1;
ALTER INDEX entry_carried RENAME TO entry_1_carried;
ALTER TABLE command RENAME TO command_1;
ALTER TABLE command_1 RENAME CONSTRAINT command_pkey TO command_1_pkey;
ALTER TABLE command_1 ADD COLUMN period integer NOT NULL DEFAULT 1;

-- The server chose the names of these, and a partition must have those of the whole table.
DO $$
DECLARE
    old record;
BEGIN
    FOR old IN
        SELECT conrelid::regclass AS of_table, conname AS name, contype AS kind, attname AS column_name
        FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE conrelid IN ('entry_1'::regclass, 'command_1'::regclass) AND contype IN ('c', 'f')
    LOOP
        IF old.kind = 'f' THEN
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', old.of_table, old.name);
        ELSE
            EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', old.of_table, old.name, old.column_name || '_fits');
        END IF;
    END LOOP;
END
$$;

-- No key can span the partitions unless the period is part of it. Within a period the keys of its partition refuse what is there
-- twice; that nothing of an earlier one is written again is checked below.
CREATE TABLE entry (
    stream bigint NOT NULL,
    version bigint NOT NULL CONSTRAINT version_fits CHECK (version > 0),
    command bytea NOT NULL CONSTRAINT command_fits CHECK (octet_length(command) = 16),
    at bigint NOT NULL CONSTRAINT at_fits CHECK (at >= 0),
    carries boolean NOT NULL,
    hash bytea NOT NULL CONSTRAINT hash_fits CHECK (octet_length(hash) = 32),
    content bytea NOT NULL,
    period integer NOT NULL DEFAULT journal_period()
) PARTITION BY LIST (period);
ALTER TABLE entry ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE entry ATTACH PARTITION entry_1 FOR VALUES IN (1);

CREATE TABLE command (
    id bytea NOT NULL CONSTRAINT id_fits CHECK (octet_length(id) = 16),
    request bytea NOT NULL CONSTRAINT request_fits CHECK (octet_length(request) = 32),
    answer bytea NOT NULL,
    digest bytea NOT NULL CONSTRAINT digest_fits CHECK (octet_length(digest) = 32),
    period integer NOT NULL DEFAULT journal_period()
) PARTITION BY LIST (period);
ALTER TABLE command ATTACH PARTITION command_1 FOR VALUES IN (1);

-- Entries go into the present period, belong to a stream there is, and are none that an earlier period has. Checked for a whole
-- statement, which costs less than a foreign key of each row.
CREATE FUNCTION journal_check_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(nullif(current_setting('megalink.form', true), ''), '1')::bigint < (SELECT max(number) FROM migration) THEN
        RAISE EXCEPTION 'a newer program has upgraded this database; start this node with the newer program'
            USING ERRCODE = '42ML1';
    END IF;
    PERFORM FROM (
        SELECT added.stream, min(added.version) AS first, min(added.period) AS earliest, max(added.period) AS latest
        FROM added GROUP BY added.stream
    ) AS run
        LEFT JOIN stream ON stream.id = run.stream LEFT JOIN period_start ON period_start.stream = run.stream
        WHERE stream.id IS NULL OR run.first <= period_start.version
            OR run.earliest <> journal_period() OR run.latest <> journal_period();
    IF found THEN
        RAISE EXCEPTION 'an entry is there already, belongs to no stream, or to a period that has ended'
            USING ERRCODE = 'unique_violation';
    END IF;
    RETURN NULL;
END
$$;

-- Triggers of the whole table do not see what is done to a partition by its own name.
CREATE FUNCTION journal_guard(of_table text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse()', of_table);
    IF of_table LIKE 'entry%' THEN
        EXECUTE format('CREATE TRIGGER checked AFTER INSERT ON %I REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION journal_check_entries()', of_table);
    END IF;
END
$$;

CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON stream
    FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse();
SELECT journal_guard('entry'), journal_guard('entry_1'), journal_guard('command'), journal_guard('command_1');

-- The tables of a period, without guards and in no log yet.
CREATE FUNCTION journal_make_tables(suffix text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    entries text := 'entry_' || suffix;
    commands text := 'command_' || suffix;
BEGIN
    EXECUTE format('CREATE TABLE %I (LIKE entry INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE,
        CONSTRAINT %I PRIMARY KEY (stream, version))', entries, entries || '_pkey');
    -- Finds the entry that a stream is started from, however long the stream is.
    EXECUTE format('CREATE INDEX %I ON %I (stream, version) WHERE carries', entries || '_carried', entries);
    EXECUTE format('CREATE TABLE %I (LIKE command INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
        CONSTRAINT %I PRIMARY KEY (id))', commands, commands || '_pkey');
END
$$;

CREATE FUNCTION journal_attach(suffix text, to_period integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM journal_guard('entry_' || suffix), journal_guard('command_' || suffix);
    EXECUTE format('ALTER TABLE entry ATTACH PARTITION %I FOR VALUES IN (%s)', 'entry_' || suffix, to_period);
    EXECUTE format('ALTER TABLE command ATTACH PARTITION %I FOR VALUES IN (%s)', 'command_' || suffix, to_period);
END
$$;

-- Makes the partitions of the period after the present one, if there are none. Writers go on meanwhile.
CREATE FUNCTION journal_make_next() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    next integer;
BEGIN
    -- One node at a time. The number is arbitrary.
    PERFORM pg_advisory_xact_lock(7305808869231650001);
    next := journal_period() + 1;
    IF to_regclass('entry_' || next) IS NULL THEN
        PERFORM journal_make_tables(next::text);
        PERFORM journal_attach(next::text, next);
    END IF;
END
$$;
SELECT journal_make_next();

-- Begins the next period if the present one has lasted so long and has entries. It waits for those who write, and they for it:
-- no two transactions write into different periods at the same time.
CREATE FUNCTION journal_begin_period(after interval) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    present integer;
BEGIN
    LOCK TABLE ONLY entry IN SHARE ROW EXCLUSIVE MODE;
    present := journal_period();
    IF to_regclass('entry_' || present + 1) IS NULL
        OR EXISTS (SELECT FROM period WHERE number = present AND clock_timestamp() < began + after)
        OR NOT EXISTS (SELECT FROM entry WHERE period = present) THEN
        RETURN false;
    END IF;
    INSERT INTO period_start (stream, version) SELECT id, version FROM stream
        ON CONFLICT (stream) DO UPDATE SET version = excluded.version;
    INSERT INTO period (number) VALUES (present + 1);
    RETURN true;
END
$$;

-- Whether a period may go: archives have most of it, and little has to be copied.
CREATE FUNCTION journal_may_go(of_period integer, copied_max bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    stay bigint;
    go bigint;
BEGIN
    -- Stream by stream (a limit keeps the planner from another order), so that what goes is not read.
    SELECT count(*) INTO stay FROM (
        SELECT FROM stream LEFT JOIN archived ON archived.stream = stream.id CROSS JOIN LATERAL (
            SELECT FROM entry
            WHERE entry.stream = stream.id AND entry.version > coalesce(archived.version, 0) AND period = of_period
            LIMIT copied_max + 1
        ) AS stays
        LIMIT copied_max + 1
    ) AS counted;
    IF copied_max < stay THEN
        RETURN false;
    END IF;
    SELECT count(*) INTO go FROM (
        SELECT FROM archived CROSS JOIN LATERAL (
            SELECT FROM entry
            WHERE entry.stream = archived.stream AND entry.version <= archived.version AND period = of_period
            LIMIT greatest(stay, 1)
        ) AS goes
        LIMIT greatest(stay, 1)
    ) AS counted;
    RETURN greatest(stay, 1) <= go;
END
$$;

-- Drops the oldest periods that may go, and says how many entries went. Only this drops any: what no archive has is copied first,
-- with the answers to its commands. Everybody waits only while the tables change hands.
CREATE FUNCTION journal_drop_periods(copied_max bigint, keep_answers boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    candidate integer;
    last integer;
    gone bigint;
    suffix text;
    old record;
BEGIN
    PERFORM pg_advisory_xact_lock(7305808869231650001);
    FOR candidate IN SELECT number FROM period WHERE number < journal_period() ORDER BY number LOOP
        EXIT WHEN NOT journal_may_go(candidate, copied_max);
        last := candidate;
    END LOOP;
    IF last IS NULL THEN
        RETURN 0;
    END IF;
    suffix := 'kept_' || last;
    PERFORM journal_make_tables(suffix);
    EXECUTE format('INSERT INTO %I (stream, version, command, at, carries, hash, content, period)
        SELECT stream.id, stays.version, command, at, carries, stays.hash, content, 0
        FROM stream LEFT JOIN archived ON archived.stream = stream.id CROSS JOIN LATERAL (
            SELECT * FROM entry
            WHERE entry.stream = stream.id AND entry.version > coalesce(archived.version, 0) AND period <= $1
            LIMIT ALL OFFSET 0
        ) AS stays', 'entry_' || suffix) USING last;
    EXECUTE format('INSERT INTO %I (id, request, answer, digest, period)
        SELECT id, request, answer, digest, 0 FROM command
        WHERE period <= $1 AND id = ANY (ARRAY(SELECT DISTINCT command FROM %I))',
        'command_' || suffix, 'entry_' || suffix) USING last;
    -- What is known here is not looked through again when they are attached.
    EXECUTE format('ALTER TABLE %I ADD CHECK (period = 0)', 'entry_' || suffix);
    EXECUTE format('ALTER TABLE %I ADD CHECK (period = 0)', 'command_' || suffix);

    WITH ends AS (
        SELECT archived.stream, newest.version, newest.hash, oldest.version AS since
        FROM archived
        CROSS JOIN LATERAL (
            SELECT entry.version, entry.hash FROM entry
            WHERE entry.stream = archived.stream AND entry.version <= archived.version AND entry.period <= last
            ORDER BY entry.version DESC LIMIT 1
        ) AS newest
        CROSS JOIN LATERAL (
            SELECT entry.version FROM entry WHERE entry.stream = archived.stream AND entry.period <= last
            ORDER BY entry.version LIMIT 1
        ) AS oldest
    ), noted AS (
        UPDATE archived SET taken = ends.version, hash = ends.hash FROM ends WHERE archived.stream = ends.stream
        RETURNING ends.version - ends.since + 1 AS count
    )
    SELECT coalesce(sum(count), 0) INTO gone FROM noted;

    -- In the order in which everybody takes them.
    LOCK TABLE ONLY entry, ONLY command IN ACCESS EXCLUSIVE MODE;
    FOR old IN
        SELECT inhparent::regclass AS parent, inhrelid::regclass AS name,
            substring(pg_get_expr(relpartbound, oid) FROM '\d+')::integer AS number
        FROM pg_inherits JOIN pg_class ON oid = inhrelid
        WHERE inhparent IN ('entry'::regclass, 'command'::regclass) ORDER BY parent, number
    LOOP
        IF old.number = 0 OR old.number <= last AND NOT (keep_answers AND old.parent = 'command'::regclass) THEN
            EXECUTE format('DROP TABLE %s', old.name);
        END IF;
    END LOOP;
    PERFORM journal_attach(suffix, 0);
    DELETE FROM period WHERE number <= last;
    RETURN gone;
END
$$;

-- What a transaction writes, in one round trip, as journal_write_packed did (0004_packed.sql). read_in is the period in which the
-- answers to its commands were looked up; in another one they are looked up again.
CREATE FUNCTION journal_write_in_period(
    read_in integer,
    fence_tables text[], fence_nodes text[], fence_epochs bigint[],
    stream_names text[], stream_expected bigint[], stream_previous bytea[], stream_versions bigint[],
    stream_hashes bytea[],
    command_ids bytea[], command_requests bytea[], command_answers bytea[], command_digests bytea[],
    entry_streams text[], entry_versions bigint[], entry_commands bytea[], entry_ats bigint[], entry_carries boolean[],
    entry_hashes bytea[], entry_contents bytea[],
    account_names text[], account_changes bigint[], account_may_be_negative boolean[],
    sealed_kinds text[], sealed_keys text[], sealed_values bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    present integer;
BEGIN
    -- No other period begins while this is held.
    LOCK TABLE ONLY entry IN ROW EXCLUSIVE MODE;
    present := journal_period();
    IF cardinality(fence_tables) > 0 THEN
        PERFORM journal_fence(fence_tables, fence_nodes, fence_epochs);
    END IF;
    IF cardinality(stream_names) > 0 THEN
        PERFORM journal_grow(stream_names, stream_expected, stream_previous, stream_versions, stream_hashes);
    END IF;
    IF cardinality(command_ids) > 0 THEN
        IF read_in IS DISTINCT FROM present
            AND EXISTS (SELECT FROM command WHERE id = ANY (command_ids) AND period <> present) THEN
            RAISE EXCEPTION 'a command was answered in an earlier period' USING ERRCODE = 'unique_violation';
        END IF;
        INSERT INTO command (id, request, answer, digest, period)
            SELECT new.id, new.request, new.answer, new.digest, present
            FROM unnest(command_ids, command_requests, command_answers, command_digests)
                AS new (id, request, answer, digest)
            ORDER BY new.id;
    END IF;
    IF cardinality(entry_streams) > 0 THEN
        INSERT INTO entry (stream, version, command, at, carries, hash, content, period)
            SELECT stream.id, new.version, new.command, new.at, new.carries, new.hash, new.content, present
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
CREATE OR REPLACE FUNCTION journal_write_packed(
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
    RAISE EXCEPTION 'a newer program has upgraded this database; start this node with the newer program'
        USING ERRCODE = '42ML1';
END
$$;
