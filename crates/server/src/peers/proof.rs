//! How two nodes prove to each other that they are of one house, before anything else is taken on a line between them. An
//! address proves nothing: a load balancer has one that is trusted, and carries a line for anybody.
//!
//! The node that is asked sends 32 random bytes. The one that asks answers with 32 of its own and a code over both, for which
//! it needs the house's secret; the other one then shows the same. Each code is for one side, one line and the address that
//! was asked, so none can be used again.

use std::io;
use std::time::Instant;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::vault::Vault;

/// Random bytes, and a code.
const BYTES: usize = 32;

/// The secret that the nodes of a house share. It follows from the vault's key, which is the same on every node and stays
/// when the house changes its signing key.
#[derive(Clone)]
pub(crate) struct LineKey([u8; BYTES]);

/// Whose code it is.
#[derive(Clone, Copy)]
enum Side {
    Asking,
    Asked,
}

impl LineKey {
    pub(super) fn of(vault: &Vault) -> LineKey {
        LineKey(vault.derived("line-between-nodes", &[]).0)
    }

    #[cfg(test)]
    pub(super) const fn new(bytes: [u8; BYTES]) -> LineKey {
        LineKey(bytes)
    }

    fn code(&self, side: Side, asked: &[u8; BYTES], asking: &[u8; BYTES], address: &str) -> [u8; BYTES] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a code takes a key of any length");
        mac.update(match side {
            Side::Asking => b"megalink-line asking",
            Side::Asked => b"megalink-line asked ",
        });
        mac.update(asked);
        mac.update(asking);
        mac.update(address.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Proves to the node at an address that this is a node, and has it prove the same. Returns when the line began.
    pub(super) async fn prove<S>(&self, stream: &mut S, address: &str) -> io::Result<Instant>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let mut asked = [0; BYTES];
        stream.read_exact(&mut asked).await?;
        let began = Instant::now();
        let asking = random();
        stream.write_all(&asking).await?;
        stream.write_all(&self.code(Side::Asking, &asked, &asking, address)).await?;
        stream.flush().await?;
        let mut code = [0; BYTES];
        stream.read_exact(&mut code).await?;
        is_same(&code, &self.code(Side::Asked, &asked, &asking, address))?;
        Ok(began)
    }

    /// Has whoever asks for a line to this address prove that it is a node. Returns when the line began.
    pub(super) async fn check<S>(&self, stream: &mut S, address: &str) -> io::Result<Instant>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let asked = random();
        let began = Instant::now();
        stream.write_all(&asked).await?;
        stream.flush().await?;
        let (mut asking, mut code) = ([0; BYTES], [0; BYTES]);
        stream.read_exact(&mut asking).await?;
        stream.read_exact(&mut code).await?;
        is_same(&code, &self.code(Side::Asking, &asked, &asking, address))?;
        stream.write_all(&self.code(Side::Asked, &asked, &asking, address)).await?;
        stream.flush().await?;
        Ok(began)
    }
}

fn random() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// Compares two codes in a time that says nothing about where they differ.
fn is_same(given: &[u8; BYTES], right: &[u8; BYTES]) -> io::Result<()> {
    if bool::from(given.ct_eq(right)) {
        return Ok(());
    }
    let what = "the other side did not prove that it is a node of this house";
    Err(io::Error::new(io::ErrorKind::PermissionDenied, what))
}

#[cfg(test)]
mod tests {
    use tokio::io::duplex;

    use super::*;

    const ADDRESS: &str = "http://10.0.0.2:8080";

    #[tokio::test]
    async fn nodes_of_one_house_believe_each_other_and_nobody_else() {
        let (house, other) = (LineKey::new([1; BYTES]), LineKey::new([2; BYTES]));
        for (asking, address, is_believed) in
            [(&house, ADDRESS, true), (&other, ADDRESS, false), (&house, "http://10.0.0.3:8080", false)]
        {
            let (mut here, mut there) = duplex(1024);
            let check = async {
                let checked = house.check(&mut here, ADDRESS).await;
                drop(here);
                checked
            };
            let (checked, proved) = tokio::join!(check, asking.prove(&mut there, address));
            assert_eq!(checked.is_ok(), is_believed);
            assert_eq!(proved.is_ok(), is_believed);
        }
    }

    #[tokio::test]
    async fn whoever_is_asked_must_prove_itself_too() {
        let (mut here, mut there) = duplex(1024);
        let pretends = async {
            here.write_all(&[7; BYTES]).await.expect("it is sent");
            let mut proof = [0; 2 * BYTES];
            here.read_exact(&mut proof).await.expect("it comes");
            // The code that came is not the one that must go back.
            here.write_all(&proof[BYTES..]).await.expect("it is sent");
        };
        let key = LineKey::new([1; BYTES]);
        let ((), proved) = tokio::join!(pretends, key.prove(&mut there, ADDRESS));
        assert_eq!(proved.expect_err("a stranger").kind(), io::ErrorKind::PermissionDenied);
    }

    #[tokio::test]
    async fn a_proof_holds_once() {
        let key = LineKey::new([1; BYTES]);
        let (mut between, mut asks) = duplex(1024);
        let (mut here, mut there) = duplex(1024);
        let mut proof = [0; 2 * BYTES];
        let relay = async {
            let mut asked = [0; BYTES];
            there.read_exact(&mut asked).await.expect("it comes");
            between.write_all(&asked).await.expect("it is sent");
            between.read_exact(&mut proof).await.expect("it comes");
            there.write_all(&proof).await.expect("it is sent");
            drop(between);
        };
        let (checked, _, ()) =
            tokio::join!(key.check(&mut here, ADDRESS), key.prove(&mut asks, ADDRESS), relay);
        checked.expect("it is the proof of a node");
        let (mut here, mut there) = duplex(1024);
        there.write_all(&proof).await.expect("it is sent");
        let again = key.check(&mut here, ADDRESS).await.expect_err("it was used before");
        assert_eq!(again.kind(), io::ErrorKind::PermissionDenied);
    }
}
