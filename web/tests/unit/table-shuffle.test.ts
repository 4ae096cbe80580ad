import { expect, test } from "vitest";
import { make } from "../../src/pages/table/shuffle";

const SEED = "63bf2cbb7d59f5e19d8b524fbfeb97de95476b219fd8fa502c2e21f36ee97abe";

// Answers of /api/shuffles/verify: the floor's own shuffle, which the page must compute the same.
test("a deck without salts is the one the floor dealt", async () => {
  const made = await make({ table: "MTHB9-1", round: 2, seed: SEED, salts: [] });
  expect(made.commitment).toBe("ec2a9f4a857c4bba0e3db02eb8eb5b24c273d3895c308ce8c90709b25b5e2c52");
  expect(made.salt).toBe("d14660e4fda550aa354fd72d79537b7d1e63d5bf454c2456ea542d80ac0366b4");
  expect(made.deck.join(" ")).toBe(
    "8c 5h Qd Ah Ks 2c 3h Kc 4h Jd 9h Ad 8d Kh 6s Qh 5c Th 7c Jh 6c 3s Qc As 8h 9c " +
      "3d Td 4s 5s 6d 7s Jc 6h Kd 4c 5d 3c Ac 9d 2h 2d Qs 9s Ts 7h 2s Js 7d 8s Tc 4d",
  );
});

test("Players' salts change the deck, in their order and in any script", async () => {
  const salts = [
    { player: "Ann", salt: "my salt" },
    { player: "Bö", salt: "ü" },
  ];
  const made = await make({ table: "MTHB9-1", round: 7, seed: SEED, salts });
  expect(made.commitment).toBe("a1ba53edc4ca549e2984e38799da013703be7aecc9b7db3aee6d7b81ee54a0a1");
  expect(made.salt).toBe("450692cf9be625912b46e5fba8a1bc0e9226fdf2366afb54b5d293e259909156");
  expect(made.deck.slice(0, 9).join(" ")).toBe("3s Jh 6s 4d 6d 3c 8c Ah Th");
  expect(new Set(made.deck).size).toBe(52);
  const other = await make({ table: "MTHB9-1", round: 7, seed: SEED, salts: salts.toReversed() });
  expect(other.deck).not.toEqual(made.deck);
});
