//! The recorded rounds that took a part of the meter, all forty, settled by the core alone. The reset amount is
//! 100,000.00 in each. A row: the case, its book, the meter before, the contribution in ten-thousandths of a cent, the
//! awards in the order paid as position, hand, percentage and amount, and the meter after.

use cards::HandOrder::{self, RoyalFlush, StraightFlush};
use jackpot::{Claim, enter_round};
use money::{Money, Percent, Pool};
use rulebook::{Position, R4_2};

use crate::event_line::pool_text;
use crate::script::{book, pool};

type Row = (&'static str, &'static str, &'static str, u64, &'static [(u8, HandOrder, u8, u64)], &'static str);

#[rustfmt::skip]
const ROWS: [Row; 40] = [
    ("c2", "MSSP9", "77371439.9274", 7_500_000, &[(3, StraightFlush, 10, 7_737_218), (5, RoyalFlush, 100, 69_634_971)], "10000000.9274"),
    ("c9", "MTHB9", "187962171.2179", 6_175_000, &[(1, StraightFlush, 10, 18_796_278)], "169166510.7179"),
    ("c21", "MTHB9", "83595728.4947", 3_087_500, &[(2, StraightFlush, 10, 8_359_603)], "75236434.2447"),
    ("c26", "THB6", "13328669.5465", 7_500_000, &[(3, RoyalFlush, 25, 3_332_354)], "9997065.5465"),
    ("c27", "THB6", "162823988.8973", 3_666_500, &[(1, RoyalFlush, 25, 40_706_088)], "122118267.5473"),
    ("c28", "MTHB9", "203910789.9696", 18_525_000, &[(4, RoyalFlush, 100, 203_912_642)], "10000000.4696"),
    ("c31", "MSSP9", "109828114.3475", 5_000_000, &[(5, StraightFlush, 10, 10_982_861)], "98845753.3475"),
    ("c32", "MTHB6", "61460946.8004", 14_666_000, &[(5, RoyalFlush, 100, 61_462_413)], "10000000.4004"),
    ("c48", "THB6", "137689481.4464", 7_333_000, &[(5, RoyalFlush, 100, 137_690_214)], "10000000.7464"),
    ("c76", "MTHB9", "293645647.6940", 65_997_000, &[(3, RoyalFlush, 100, 293_652_247)], "10000000.3940"),
    ("c77", "THB6", "56019716.9537", 12_350_000, &[(3, RoyalFlush, 5, 2_801_047)], "53219904.9537"),
    ("c82", "MSSP9", "125732529.8341", 6_175_000, &[(2, StraightFlush, 10, 12_573_314)], "113159833.3341"),
    ("c94", "MSSP9", "10518082.5026", 21_999_000, &[(2, RoyalFlush, 100, 10_520_282)], "10000000.4026"),
    ("c97", "MTHB9", "85932738.6858", 76_996_500, &[(1, StraightFlush, 10, 8_594_043)], "77346395.3358"),
    ("c102", "MSSP9", "75792970.8198", 12_500_000, &[(3, RoyalFlush, 100, 75_794_220)], "10000000.8198"),
    ("c117", "MSSP9", "51290144.3084", 10_000_000, &[(2, RoyalFlush, 100, 51_291_144)], "10000000.3084"),
    ("c132", "THB6", "287652646.1822", 3_087_500, &[(2, RoyalFlush, 25, 71_913_238)], "215739716.9322"),
    ("c133", "MTHB9", "82475567.1164", 6_250_000, &[(1, StraightFlush, 10, 7_835_238), (2, StraightFlush, 10, 7_835_238)], "66805716.1164"),
    ("c143", "MSSP9", "134600800.1088", 32_998_500, &[(1, RoyalFlush, 100, 72_302_049), (2, RoyalFlush, 100, 72_302_049)], "10000001.9588"),
    ("c146", "MTHB9", "187457327.1867", 1_250_000, &[(3, StraightFlush, 10, 18_745_745)], "168711707.1867"),
    ("c152", "MTHB6", "270506390.5244", 6_175_000, &[(2, RoyalFlush, 100, 270_507_008)], "10000000.0244"),
    ("c156", "MSSP9", "139464676.3682", 21_999_000, &[(2, StraightFlush, 10, 13_946_687), (1, RoyalFlush, 100, 125_520_189)], "10000000.2682"),
    ("c162", "MSSP9", "178355945.6159", 21_999_000, &[(2, StraightFlush, 10, 17_835_814), (4, RoyalFlush, 100, 160_522_331)], "10000000.5159"),
    ("c167", "THB6", "160493964.0572", 3_666_500, &[(1, RoyalFlush, 100, 160_494_330)], "10000000.7072"),
    ("c171", "THB6", "87568728.1912", 6_175_000, &[(1, RoyalFlush, 5, 4_378_467)], "83190878.6912"),
    ("c175", "MTHB9", "227000958.5731", 30_875_000, &[(1, StraightFlush, 10, 21_565_384), (3, StraightFlush, 10, 21_565_384)], "183873278.0731"),
    ("c177", "MSSP9", "133706996.9135", 6_250_000, &[(2, StraightFlush, 10, 13_370_762)], "120336859.9135"),
    ("c180", "MTHB6", "228786489.3096", 7_333_000, &[(3, StraightFlush, 10, 22_878_722)], "205908500.6096"),
    ("c212", "THB6", "223457680.5972", 10_999_500, &[(2, RoyalFlush, 100, 223_458_780)], "10000000.5472"),
    ("c215", "MSSP9", "91147919.8202", 6_175_000, &[(3, RoyalFlush, 100, 91_148_537)], "10000000.3202"),
    ("c217", "MSSP9", "131188244.8399", 12_500_000, &[(2, RoyalFlush, 100, 70_594_747), (3, RoyalFlush, 100, 70_594_747)], "10000000.8399"),
    ("c222", "MSSP9", "275520625.4674", 32_998_500, &[(2, RoyalFlush, 100, 142_761_962), (3, RoyalFlush, 100, 142_761_962)], "10000001.3174"),
    ("c225", "MTHB6", "48404139.2678", 18_332_500, &[(5, StraightFlush, 10, 4_598_567), (6, StraightFlush, 10, 4_598_567)], "39208838.5178"),
    ("c246", "MSSP9", "132793259.4040", 9_262_500, &[(1, StraightFlush, 10, 13_279_418)], "119514767.6540"),
    ("c248", "MTHB6", "232567218.5636", 3_087_500, &[(6, StraightFlush, 10, 23_256_752)], "209310775.3136"),
    ("c250", "MSSP9", "193517910.8495", 9_262_500, &[(6, RoyalFlush, 100, 193_518_837)], "10000000.0995"),
    ("c270", "MTHB9", "47918509.2998", 2_500_000, &[(3, StraightFlush, 10, 4_791_875)], "43126884.2998"),
    ("c276", "MTHB6", "178098152.2092", 6_175_000, &[(2, StraightFlush, 10, 16_919_382), (4, StraightFlush, 10, 16_919_382)], "144260005.7092"),
    ("c296", "MSSP9", "59777142.1006", 25_665_500, &[(1, StraightFlush, 10, 5_977_970)], "53801738.6506"),
    ("c297", "MTHB9", "181929008.5235", 12_500_000, &[(2, RoyalFlush, 100, 181_930_258)], "10000000.5235"),
];

#[test]
fn recorded_rounds_come_out_to_the_cent() {
    for (case, citation, before, contribution, awards, after) in ROWS {
        // Handed over in the opposite order: the core puts them into the order paid.
        let claims: Vec<Claim> = awards.iter().rev().map(claim).collect();
        let (reset, contribution) = (Money::from_cents(10_000_000), Pool::from_ten_thousandths(contribution));
        let sharing = &book(citation).jackpot.sharing;
        let round =
            enter_round(pool(before), reset, contribution, sharing, &claims).expect("amounts that fit");
        let paid: Vec<(u8, HandOrder, u8, u64)> = round
            .shares
            .iter()
            .map(|share| (share.position.0, share.hand, share.percent.value(), share.amount.cents()))
            .collect();
        assert_eq!(paid, awards, "{case}");
        assert_eq!(pool_text(round.meter), after, "{case}");
        let whole = awards.iter().filter(|(_, _, percent, _)| *percent == 100).count();
        assert_eq!(round.restarts, whole, "{case}");
    }
}

fn claim((position, hand, percent, _): &(u8, HandOrder, u8, u64)) -> Claim {
    let percent = Percent::new(*percent).expect("a percentage");
    Claim { position: Position(*position), hand: *hand, percent, rule: R4_2 }
}
