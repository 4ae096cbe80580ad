import { expect, test } from "vitest";
import { link, make } from "../../src/pages/table/shuffle";

const SEED = "63bf2cbb7d59f5e19d8b524fbfeb97de95476b219fd8fa502c2e21f36ee97abe";
const ANN = {
  player: "Ann",
  anchor: "a7a92465d280d02be2d23cb05a4e2d1dbfd27a6e256b2a7e6f7ab185506ada9b",
  salt: "01".repeat(32),
};
const BO = {
  player: "Bö",
  anchor: "17c7714e5ba453b20749c0aa8e56d47f35341a47583be7a3aa459141b8eb05c3",
  salt: "02".repeat(32),
};
const ROUND_7 = { table: "MTHB9-1", round: 7, seed: SEED, discarded: [] };

// Computed by a program of its own from the description in docs/shuffle.md, like the known answers of the floor.
test("a deck without salts is the one the floor dealt", async () => {
  const made = await make({ ...ROUND_7, round: 2, salts: [] });
  expect(made.commitment).toBe("ec2a9f4a857c4bba0e3db02eb8eb5b24c273d3895c308ce8c90709b25b5e2c52");
  expect(made.salt).toBe("21dec41014cc41171d7447732e053cb0212d6a22dbaefcd20a4d8847f736f382");
  expect(made.deck.join(" ")).toBe(
    "8h Qc 7c Kd Ts 3s Th Jd 6s Ks Jc As 2c Js 4d Kh 2d 5c Td Ad 7h 9d 5h 8d 6d Qs " +
      "9c 3c Kc 2s 4c 7d 7s 2h Jh Tc Ac 5d Ah 6c 4h 8s 6h 8c 3h Qd 4s 3d 9s 5s 9h Qh",
  );
});

test("Players' salts change the deck, in any script, and their order does not", async () => {
  const made = await make({ ...ROUND_7, salts: [ANN, BO] });
  expect(made.commitment).toBe("a1ba53edc4ca549e2984e38799da013703be7aecc9b7db3aee6d7b81ee54a0a1");
  expect(made.salt).toBe("5775e47d7f0c70783a242533e4f5a32a91d14bc9354aebe896c7aba4df63d7f9");
  expect(made.deck.slice(0, 9).join(" ")).toBe("6s Qd 8d 3s Jd Kd 6h 7h 7s");
  expect(new Set(made.deck).size).toBe(52);
  expect(made.wrong).toEqual([]);
  const turned = await make({ ...ROUND_7, salts: [BO, ANN] });
  expect(turned.deck).toEqual(made.deck);
});

test("a chain of 200 links ends where the floor's does", async () => {
  let salt = "03".repeat(32);
  for (let left = 0; left < 200; left += 1) salt = await link("MTHB9-1", "Ann", salt);
  expect(salt).toBe("85e30f543cf67bb53e46a29584d0330e3cc12ba3116737e587ac0ca6b60d262d");
});

test("a salt that was not committed to, was withheld, or does not go on is told", async () => {
  const forged = await make({ ...ROUND_7, salts: [{ ...ANN, salt: "05".repeat(32) }] });
  expect(forged.wrong).toEqual(["Ann opened another salt than was committed to."]);
  const withheld = await make({ ...ROUND_7, salts: [{ ...ANN, salt: null }] });
  expect(withheld.wrong).toEqual(["Ann did not open a salt."]);
  const before = await link("MTHB9-1", "Ann", ANN.anchor);
  const draw = {
    seed: SEED,
    salts: [
      { player: "Ann", anchor: before, salt: ANN.anchor },
      { ...BO, salt: null },
    ],
  };
  const redrawn = await make({ ...ROUND_7, salts: [ANN], discarded: [draw] });
  expect(redrawn.wrong).toEqual([]);
  expect(redrawn.discarded).toEqual([redrawn.commitment]);
  const broken = await make({ ...ROUND_7, salts: [ANN, BO], discarded: [draw] });
  expect(broken.wrong).toEqual(["The chains do not go on from the salts opened before."]);
});
