-- Reports and histories rest on the index of subjects, so its rows are guarded like the entries. They stay when entries are taken
-- out that an archive has.
CREATE TRIGGER subject_is_not_changed BEFORE UPDATE ON subject
BEGIN SELECT RAISE(ABORT, 'the index of the log is never changed'); END;
CREATE TRIGGER subject_is_not_deleted BEFORE DELETE ON subject
BEGIN SELECT RAISE(ABORT, 'a row of the index of the log is never deleted'); END;
