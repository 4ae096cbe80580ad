//! Signing checkpoints, one node at a time.

use std::collections::BTreeMap;

use super::read::number;
use super::session::Session;
use crate::checkpoint::{Checkpoint, Signer, heads_text};
use crate::names::{Moment, Stream, Version};
use crate::store::{Reader, StoreError};

/// Others may still read, but no other node signs before this is committed.
const ALONE: &str = "LOCK TABLE checkpoint IN EXCLUSIVE MODE";

const INSERT: &str = "
    INSERT INTO checkpoint (number, previous, heads, at, key, signature, successor)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";

/// How many checkpoints are read at a time.
const PAGE: usize = 1000;

/// How many checkpoints are searched, from the newest back, for what they seal. A stream that none of them names is sealed
/// again.
const SEEN_MAX: usize = 512;

/// What the checkpoints read so far seal.
#[derive(Debug, Default)]
pub(super) struct Seals {
    last: Option<Checkpoint>,
    versions: BTreeMap<Stream, Version>,
}

impl Seals {
    /// Signs the present heads, if a stream has grown since the last checkpoint of any node.
    pub(super) fn sign(
        &mut self,
        session: &mut Session,
        signer: &Signer,
    ) -> Result<Option<Checkpoint>, StoreError> {
        session.begin()?;
        let checkpoint = self.sign_alone(session, signer);
        session.roll_back();
        checkpoint
    }

    fn sign_alone(
        &mut self,
        session: &mut Session,
        signer: &Signer,
    ) -> Result<Option<Checkpoint>, StoreError> {
        session.batch(ALONE)?;
        self.catch_up(session)?;
        let heads = session.heads()?;
        let next = Checkpoint::following(self.last.as_ref(), heads, &self.versions, Moment::now(), signer);
        if let Some(checkpoint) = &next {
            session.write(
                INSERT,
                &[
                    &number(checkpoint.number),
                    &checkpoint.previous.0.as_slice(),
                    &heads_text(&checkpoint.heads),
                    &number(checkpoint.at.0),
                    &checkpoint.key.as_slice(),
                    &checkpoint.signature.as_slice(),
                    &checkpoint.successor.as_ref().map(<[u8; 32]>::as_slice),
                ],
            )?;
            session.commit()?;
            self.take(checkpoint.clone());
        }
        Ok(next)
    }

    fn catch_up(&mut self, session: &mut Session) -> Result<(), StoreError> {
        if self.last.is_none() {
            let newest = session.checkpoints_back(u64::MAX, SEEN_MAX)?;
            newest.into_iter().rev().for_each(|checkpoint| self.take(checkpoint));
        }
        loop {
            let page = session.checkpoints(self.last.as_ref().map_or(0, |last| last.number), PAGE)?;
            let is_last = page.len() < PAGE;
            for checkpoint in page {
                self.take(checkpoint);
            }
            if is_last {
                return Ok(());
            }
        }
    }

    fn take(&mut self, checkpoint: Checkpoint) {
        self.versions.extend(checkpoint.heads.iter().map(|head| (head.stream.clone(), head.version)));
        self.last = Some(checkpoint);
    }
}
