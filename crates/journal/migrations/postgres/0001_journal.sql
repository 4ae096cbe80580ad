-- The log, the ledger, and what is kept beside them. Names are compared by their bytes ("C"), whatever the database's
-- language: everybody locks rows in the same order.

CREATE TABLE stream (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    version bigint NOT NULL CHECK (version >= 0),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32)
);

CREATE TABLE entry (
    stream bigint NOT NULL REFERENCES stream (id),
    version bigint NOT NULL CHECK (version > 0),
    command bytea NOT NULL CHECK (octet_length(command) = 16),
    actor text NOT NULL,
    at bigint NOT NULL CHECK (at >= 0),
    kind text NOT NULL,
    body text NOT NULL,
    transfers text NOT NULL,
    previous bytea NOT NULL CHECK (octet_length(previous) = 32),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    cause text,
    PRIMARY KEY (stream, version)
);

CREATE TABLE account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    balance bigint NOT NULL,
    may_be_negative boolean NOT NULL,
    CHECK (balance >= 0 OR may_be_negative)
);

CREATE TABLE command (
    id bytea PRIMARY KEY CHECK (octet_length(id) = 16),
    request bytea NOT NULL CHECK (octet_length(request) = 32),
    answer text NOT NULL,
    digest bytea NOT NULL CHECK (octet_length(digest) = 32)
);

CREATE TABLE sealed (
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (kind, key)
);

-- A row stays for ever, so that epochs only rise; a lease given up ends at minus infinity.
CREATE TABLE lease (
    table_name text COLLATE "C" PRIMARY KEY,
    node text NOT NULL,
    epoch bigint NOT NULL CHECK (epoch > 0),
    until timestamptz NOT NULL
);

CREATE TABLE checkpoint (
    number bigint PRIMARY KEY CHECK (number > 0),
    previous bytea NOT NULL CHECK (octet_length(previous) = 32),
    heads text NOT NULL,
    at bigint NOT NULL CHECK (at >= 0),
    key bytea NOT NULL CHECK (octet_length(key) = 32),
    signature bytea NOT NULL CHECK (octet_length(signature) = 64)
);

CREATE FUNCTION journal_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', tg_table_name, tg_op USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry
    FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse();
CREATE TRIGGER command_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON command
    FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse();
CREATE TRIGGER checkpoint_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse();

-- What a transaction writes, in one round trip: while a link's row is locked, every node waits for it. It decides
-- nothing but whether what was decided elsewhere still fits, and writes all of it or raises. Everybody takes locks in
-- this order: leases, streams, commands, accounts; each kind in the order of its names.
--
-- MLC01: a stream has grown meanwhile. MLF01: the table in the detail has another owner. MLS01: the account in the
-- detail would fall below nought.

CREATE FUNCTION journal_fence(tables text[], nodes text[], epochs bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    lost text;
BEGIN
    -- A shared lock, so that nobody takes the table before this is committed. A lease that has run out and was neither
    -- given up nor taken is still its owner's.
    PERFORM FROM lease WHERE table_name = ANY (tables) ORDER BY table_name FOR SHARE;
    SELECT fenced.name INTO lost
        FROM unnest(tables, nodes, epochs) AS fenced (name, node, epoch)
        WHERE NOT EXISTS (
            SELECT FROM lease
            WHERE table_name = fenced.name AND lease.node = fenced.node AND lease.epoch = fenced.epoch
                AND until > '-infinity'
        )
        ORDER BY fenced.name COLLATE "C" LIMIT 1;
    IF found THEN
        RAISE EXCEPTION 'another node owns the table' USING ERRCODE = 'MLF01', DETAIL = lost;
    END IF;
END
$$;

CREATE FUNCTION journal_grow(names text[], expected bigint[], previous bytea[], versions bigint[], hashes bytea[])
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    grown bigint;
BEGIN
    INSERT INTO stream (name, version, hash)
        SELECT new.name, 0, new.hash FROM unnest(names, previous, expected) AS new (name, hash, version)
        WHERE new.version = 0 AND NOT EXISTS (SELECT FROM stream WHERE stream.name = new.name)
        ORDER BY new.name COLLATE "C"
        ON CONFLICT DO NOTHING;
    -- Whoever holds a stream that this transaction has not locked is about to write to it: waiting would end in a
    -- conflict all the same, and could end in a circle.
    PERFORM FROM stream WHERE name = ANY (names) ORDER BY name FOR UPDATE NOWAIT;
    UPDATE stream SET version = new.version, hash = new.hash
        FROM unnest(names, expected, previous, versions, hashes) AS new (name, expected, previous, version, hash)
        WHERE stream.name = new.name AND stream.version = new.expected AND stream.hash = new.previous;
    GET DIAGNOSTICS grown = ROW_COUNT;
    IF grown <> cardinality(names) THEN
        RAISE EXCEPTION 'a stream has grown meanwhile' USING ERRCODE = 'MLC01';
    END IF;
END
$$;

CREATE FUNCTION journal_move(names text[], changes bigint[], may_be_negatives boolean[])
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    short text;
BEGIN
    INSERT INTO account (name, balance, may_be_negative)
        SELECT new.name, 0, new.may_be_negative FROM unnest(names, may_be_negatives) AS new (name, may_be_negative)
        WHERE NOT EXISTS (SELECT FROM account WHERE account.name = new.name)
        ORDER BY new.name COLLATE "C"
        ON CONFLICT DO NOTHING;
    PERFORM FROM account WHERE name = ANY (names) ORDER BY name FOR UPDATE;
    SELECT account.name INTO short
        FROM account JOIN unnest(names, changes) AS moved (name, change) ON moved.name = account.name
        WHERE account.balance + moved.change < 0 AND NOT account.may_be_negative
        ORDER BY account.name LIMIT 1;
    IF found THEN
        RAISE EXCEPTION 'the account holds too little' USING ERRCODE = 'MLS01', DETAIL = short;
    END IF;
    UPDATE account SET balance = balance + moved.change
        FROM unnest(names, changes) AS moved (name, change) WHERE account.name = moved.name;
END
$$;

CREATE FUNCTION journal_keep(kinds text[], keys text[], vals bytea[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM sealed USING unnest(kinds, keys, vals) AS gone (kind, key, value)
        WHERE sealed.kind = gone.kind AND sealed.key = gone.key AND gone.value IS NULL;
    INSERT INTO sealed (kind, key, value)
        SELECT kept.kind, kept.key, kept.value FROM unnest(kinds, keys, vals) AS kept (kind, key, value)
        WHERE kept.value IS NOT NULL
        ORDER BY kept.kind COLLATE "C", kept.key COLLATE "C"
        ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value;
END
$$;

CREATE FUNCTION journal_write(
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
        INSERT INTO entry (stream, version, command, actor, at, kind, body, transfers, previous, hash, cause)
            SELECT stream.id, new.version, new.command, new.actor, new.at, new.kind, new.body, new.transfers,
                new.previous, new.hash, new.cause
            FROM unnest(
                entry_streams, entry_versions, entry_commands, entry_actors, entry_ats, entry_kinds, entry_bodies,
                entry_transfers, entry_previous, entry_hashes, entry_causes
            ) AS new (stream, version, command, actor, at, kind, body, transfers, previous, hash, cause)
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
