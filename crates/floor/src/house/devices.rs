//! The keys of machines: which device has one, what it opens, and until when. Of a key the log has only the digest, and nothing
//! is kept beside the log: no row that is put back opens anything.

use std::collections::BTreeMap;

use jackpot::Person;
use journal::{Actor, Command, DeviceId, DeviceScope, Hash, HouseEvent, Moment};
use serde::{Deserialize, Serialize};

use super::House;
use crate::decide::{check_free, check_name};
use crate::permissions;
use crate::refusal::{Reason, Refusal};

/// For how many days a key holds at most.
pub const DEVICE_DAYS_MAX: u16 = 366;

/// A machine with a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    pub scope: DeviceScope,
    /// The digest of its key.
    pub key: Hash,
    /// When the key was made.
    pub since: Moment,
    /// Until when it holds.
    pub until: Moment,
}

impl Device {
    /// Whether the key holds at a moment.
    pub fn holds(&self, at: Moment) -> bool {
        at < self.until
    }
}

/// Every device whose key was not revoked.
pub(super) type Devices = BTreeMap<DeviceId, Device>;

impl House {
    /// Every device whose key was not revoked, by name. The key may have run out.
    pub fn devices(&self) -> impl Iterator<Item = (&DeviceId, &Device)> {
        self.devices.iter()
    }

    /// A device, if its key was not revoked.
    pub fn device(&self, device: &DeviceId) -> Option<&Device> {
        self.devices.get(device)
    }

    /// The device that has the key of this digest, while it holds.
    pub fn device_of_key(&self, key: &Hash, at: Moment) -> Option<(&DeviceId, &Device)> {
        self.devices().find(|(_, device)| device.key == *key && device.holds(at))
    }

    /// Who made the newest key of a device, also of one that was revoked since.
    pub(crate) fn maker_of_key(&self, device: &DeviceId) -> Option<&Person> {
        self.key_makers.get(device)
    }

    /// Who made the newest key of each device.
    pub(crate) fn key_makers(&self) -> impl Iterator<Item = (&DeviceId, &Person)> {
        self.key_makers.iter()
    }

    /// Notes who makes a key: whoever has seen it can enter cards in the machine's name.
    pub(crate) fn note_maker(&mut self, by: &Actor, event: &HouseEvent) {
        if let (
            HouseEvent::DeviceKeyMade { device, .. },
            Actor::Staff(person, _) | Actor::Acting(person, _),
        ) = (event, by)
        {
            self.key_makers.insert(device.clone(), person.clone());
        }
    }

    /// A device is given a key.
    pub(super) fn make_device_key(
        &self,
        device: &DeviceId,
        scope: &DeviceScope,
        key: Hash,
        (at, until): (Moment, Moment),
    ) -> Result<HouseEvent, Refusal> {
        check_name(device.name())?;
        let others = self.devices.keys().filter(|other| *other != device);
        check_free(device.name(), others.map(DeviceId::name))?;
        if self.device(device).is_some_and(|known| known.holds(at)) {
            return Err(Reason::DeviceHasKey.refuse());
        }
        if until <= at || at.plus_days(DEVICE_DAYS_MAX) < until {
            return Err(Reason::DeviceTimeIsWrong.refuse());
        }
        if self.devices.iter().any(|(other, known)| other != device && known.key == key) {
            return Err(Reason::NameIsTaken.refuse());
        }
        Ok(HouseEvent::DeviceKeyMade { device: device.clone(), scope: scope.clone(), key, until })
    }

    /// The key of a device is revoked, also one that has run out.
    pub(super) fn revoke_device_key(&self, device: &DeviceId) -> Result<HouseEvent, Refusal> {
        self.device(device).ok_or_else(|| Reason::NoSuchDevice.refuse())?;
        Ok(HouseEvent::DeviceKeyRevoked { device: device.clone() })
    }

    /// Refuses a device whose key does not hold at this moment, and whatever its scope does not open.
    pub(crate) fn check_device(
        &self,
        device: &DeviceId,
        command: &Command,
        at: Moment,
    ) -> Result<(), Refusal> {
        let known = self.device(device).filter(|known| known.holds(at));
        let known = known.ok_or_else(|| Reason::NoSuchDevice.refuse())?;
        if permissions::is_opened_by(&known.scope, command) {
            return Ok(());
        }
        Err(Reason::DeviceMayNot.refuse())
    }
}
