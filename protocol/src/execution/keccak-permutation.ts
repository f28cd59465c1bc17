/** Per round its constant's even and odd bits, from the linear feedback shift register of the Keccak specification. */
const ROUND_CONSTANTS = roundConstants();

function roundConstants(): Int32Array {
  const constants = new Int32Array(48);
  let register = 1;
  for (let round = 0; round < 24; round += 1) {
    for (let power = 0; power < 7; power += 1) {
      const bit = 2 ** power - 1;
      const half = 2 * round + (bit & 1);
      if ((register & 1) === 1) constants[half] = (constants[half] ?? 0) | (1 << (bit >> 1));
      register = (register << 1) ^ ((register & 0x80) === 0 ? 0 : 0x171);
    }
  }
  return constants;
}

/**
 * Keccak-f[1600], in place.
 *
 * A verifier computes seven of these for each step, and they are most of its work. So one round is written out, every
 * half of a lane a local variable, and the halves are a lane's even and its odd bits: turning a lane then turns each
 * half by itself, which is one machine instruction.
 *
 * @param s the even bits of lane x + 5y at 2(x + 5y), its odd bits after them.
 */
// prettier-ignore
export function permute(s: Int32Array): void {
  let e0 = s[0] ?? 0, o0 = s[1] ?? 0, e1 = s[2] ?? 0, o1 = s[3] ?? 0, e2 = s[4] ?? 0, o2 = s[5] ?? 0, e3 = s[6] ?? 0, o3 = s[7] ?? 0, e4 = s[8] ?? 0, o4 = s[9] ?? 0;
  let e5 = s[10] ?? 0, o5 = s[11] ?? 0, e6 = s[12] ?? 0, o6 = s[13] ?? 0, e7 = s[14] ?? 0, o7 = s[15] ?? 0, e8 = s[16] ?? 0, o8 = s[17] ?? 0, e9 = s[18] ?? 0, o9 = s[19] ?? 0;
  let e10 = s[20] ?? 0, o10 = s[21] ?? 0, e11 = s[22] ?? 0, o11 = s[23] ?? 0, e12 = s[24] ?? 0, o12 = s[25] ?? 0, e13 = s[26] ?? 0, o13 = s[27] ?? 0, e14 = s[28] ?? 0, o14 = s[29] ?? 0;
  let e15 = s[30] ?? 0, o15 = s[31] ?? 0, e16 = s[32] ?? 0, o16 = s[33] ?? 0, e17 = s[34] ?? 0, o17 = s[35] ?? 0, e18 = s[36] ?? 0, o18 = s[37] ?? 0, e19 = s[38] ?? 0, o19 = s[39] ?? 0;
  let e20 = s[40] ?? 0, o20 = s[41] ?? 0, e21 = s[42] ?? 0, o21 = s[43] ?? 0, e22 = s[44] ?? 0, o22 = s[45] ?? 0, e23 = s[46] ?? 0, o23 = s[47] ?? 0, e24 = s[48] ?? 0, o24 = s[49] ?? 0;
  for (let round = 0; round < 48; round += 2) {
    // θ: the parity of every column, and what its neighbours make of it
    const ec0 = e0 ^ e5 ^ e10 ^ e15 ^ e20, oc0 = o0 ^ o5 ^ o10 ^ o15 ^ o20;
    const ec1 = e1 ^ e6 ^ e11 ^ e16 ^ e21, oc1 = o1 ^ o6 ^ o11 ^ o16 ^ o21;
    const ec2 = e2 ^ e7 ^ e12 ^ e17 ^ e22, oc2 = o2 ^ o7 ^ o12 ^ o17 ^ o22;
    const ec3 = e3 ^ e8 ^ e13 ^ e18 ^ e23, oc3 = o3 ^ o8 ^ o13 ^ o18 ^ o23;
    const ec4 = e4 ^ e9 ^ e14 ^ e19 ^ e24, oc4 = o4 ^ o9 ^ o14 ^ o19 ^ o24;
    const ed0 = ec4 ^ ((oc1 << 1) | (oc1 >>> 31)), od0 = oc4 ^ ec1;
    const ed1 = ec0 ^ ((oc2 << 1) | (oc2 >>> 31)), od1 = oc0 ^ ec2;
    const ed2 = ec1 ^ ((oc3 << 1) | (oc3 >>> 31)), od2 = oc1 ^ ec3;
    const ed3 = ec2 ^ ((oc4 << 1) | (oc4 >>> 31)), od3 = oc2 ^ ec4;
    const ed4 = ec3 ^ ((oc0 << 1) | (oc0 >>> 31)), od4 = oc3 ^ ec0;
    // θ, ρ and π: every lane with its parities, turned, and moved to its new place
    let e: number, o: number;
    e = e0 ^ ed0; o = o0 ^ od0; const em0 = e, om0 = o;
    e = e1 ^ ed1; o = o1 ^ od1; const em10 = (o << 1) | (o >>> 31), om10 = e;
    e = e2 ^ ed2; o = o2 ^ od2; const em20 = (e << 31) | (e >>> 1), om20 = (o << 31) | (o >>> 1);
    e = e3 ^ ed3; o = o3 ^ od3; const em5 = (e << 14) | (e >>> 18), om5 = (o << 14) | (o >>> 18);
    e = e4 ^ ed4; o = o4 ^ od4; const em15 = (o << 14) | (o >>> 18), om15 = (e << 13) | (e >>> 19);
    e = e5 ^ ed0; o = o5 ^ od0; const em16 = (e << 18) | (e >>> 14), om16 = (o << 18) | (o >>> 14);
    e = e6 ^ ed1; o = o6 ^ od1; const em1 = (e << 22) | (e >>> 10), om1 = (o << 22) | (o >>> 10);
    e = e7 ^ ed2; o = o7 ^ od2; const em11 = (e << 3) | (e >>> 29), om11 = (o << 3) | (o >>> 29);
    e = e8 ^ ed3; o = o8 ^ od3; const em21 = (o << 28) | (o >>> 4), om21 = (e << 27) | (e >>> 5);
    e = e9 ^ ed4; o = o9 ^ od4; const em6 = (e << 10) | (e >>> 22), om6 = (o << 10) | (o >>> 22);
    e = e10 ^ ed0; o = o10 ^ od0; const em7 = (o << 2) | (o >>> 30), om7 = (e << 1) | (e >>> 31);
    e = e11 ^ ed1; o = o11 ^ od1; const em17 = (e << 5) | (e >>> 27), om17 = (o << 5) | (o >>> 27);
    e = e12 ^ ed2; o = o12 ^ od2; const em2 = (o << 22) | (o >>> 10), om2 = (e << 21) | (e >>> 11);
    e = e13 ^ ed3; o = o13 ^ od3; const em12 = (o << 13) | (o >>> 19), om12 = (e << 12) | (e >>> 20);
    e = e14 ^ ed4; o = o14 ^ od4; const em22 = (o << 20) | (o >>> 12), om22 = (e << 19) | (e >>> 13);
    e = e15 ^ ed0; o = o15 ^ od0; const em23 = (o << 21) | (o >>> 11), om23 = (e << 20) | (e >>> 12);
    e = e16 ^ ed1; o = o16 ^ od1; const em8 = (o << 23) | (o >>> 9), om8 = (e << 22) | (e >>> 10);
    e = e17 ^ ed2; o = o17 ^ od2; const em18 = (o << 8) | (o >>> 24), om18 = (e << 7) | (e >>> 25);
    e = e18 ^ ed3; o = o18 ^ od3; const em3 = (o << 11) | (o >>> 21), om3 = (e << 10) | (e >>> 22);
    e = e19 ^ ed4; o = o19 ^ od4; const em13 = (e << 4) | (e >>> 28), om13 = (o << 4) | (o >>> 28);
    e = e20 ^ ed0; o = o20 ^ od0; const em14 = (e << 9) | (e >>> 23), om14 = (o << 9) | (o >>> 23);
    e = e21 ^ ed1; o = o21 ^ od1; const em24 = (e << 1) | (e >>> 31), om24 = (o << 1) | (o >>> 31);
    e = e22 ^ ed2; o = o22 ^ od2; const em9 = (o << 31) | (o >>> 1), om9 = (e << 30) | (e >>> 2);
    e = e23 ^ ed3; o = o23 ^ od3; const em19 = (e << 28) | (e >>> 4), om19 = (o << 28) | (o >>> 4);
    e = e24 ^ ed4; o = o24 ^ od4; const em4 = (e << 7) | (e >>> 25), om4 = (o << 7) | (o >>> 25);
    // χ: every lane with the two after it in its row
    e0 = em0 ^ (~em1 & em2); o0 = om0 ^ (~om1 & om2);
    e1 = em1 ^ (~em2 & em3); o1 = om1 ^ (~om2 & om3);
    e2 = em2 ^ (~em3 & em4); o2 = om2 ^ (~om3 & om4);
    e3 = em3 ^ (~em4 & em0); o3 = om3 ^ (~om4 & om0);
    e4 = em4 ^ (~em0 & em1); o4 = om4 ^ (~om0 & om1);
    e5 = em5 ^ (~em6 & em7); o5 = om5 ^ (~om6 & om7);
    e6 = em6 ^ (~em7 & em8); o6 = om6 ^ (~om7 & om8);
    e7 = em7 ^ (~em8 & em9); o7 = om7 ^ (~om8 & om9);
    e8 = em8 ^ (~em9 & em5); o8 = om8 ^ (~om9 & om5);
    e9 = em9 ^ (~em5 & em6); o9 = om9 ^ (~om5 & om6);
    e10 = em10 ^ (~em11 & em12); o10 = om10 ^ (~om11 & om12);
    e11 = em11 ^ (~em12 & em13); o11 = om11 ^ (~om12 & om13);
    e12 = em12 ^ (~em13 & em14); o12 = om12 ^ (~om13 & om14);
    e13 = em13 ^ (~em14 & em10); o13 = om13 ^ (~om14 & om10);
    e14 = em14 ^ (~em10 & em11); o14 = om14 ^ (~om10 & om11);
    e15 = em15 ^ (~em16 & em17); o15 = om15 ^ (~om16 & om17);
    e16 = em16 ^ (~em17 & em18); o16 = om16 ^ (~om17 & om18);
    e17 = em17 ^ (~em18 & em19); o17 = om17 ^ (~om18 & om19);
    e18 = em18 ^ (~em19 & em15); o18 = om18 ^ (~om19 & om15);
    e19 = em19 ^ (~em15 & em16); o19 = om19 ^ (~om15 & om16);
    e20 = em20 ^ (~em21 & em22); o20 = om20 ^ (~om21 & om22);
    e21 = em21 ^ (~em22 & em23); o21 = om21 ^ (~om22 & om23);
    e22 = em22 ^ (~em23 & em24); o22 = om22 ^ (~om23 & om24);
    e23 = em23 ^ (~em24 & em20); o23 = om23 ^ (~om24 & om20);
    e24 = em24 ^ (~em20 & em21); o24 = om24 ^ (~om20 & om21);
    // ι: the constant of the round
    e0 ^= ROUND_CONSTANTS[round] ?? 0; o0 ^= ROUND_CONSTANTS[round + 1] ?? 0;
  }
  s[0] = e0; s[1] = o0; s[2] = e1; s[3] = o1; s[4] = e2; s[5] = o2; s[6] = e3; s[7] = o3; s[8] = e4; s[9] = o4;
  s[10] = e5; s[11] = o5; s[12] = e6; s[13] = o6; s[14] = e7; s[15] = o7; s[16] = e8; s[17] = o8; s[18] = e9; s[19] = o9;
  s[20] = e10; s[21] = o10; s[22] = e11; s[23] = o11; s[24] = e12; s[25] = o12; s[26] = e13; s[27] = o13; s[28] = e14; s[29] = o14;
  s[30] = e15; s[31] = o15; s[32] = e16; s[33] = o16; s[34] = e17; s[35] = o17; s[36] = e18; s[37] = o18; s[38] = e19; s[39] = o19;
  s[40] = e20; s[41] = o20; s[42] = e21; s[43] = o21; s[44] = e22; s[45] = o22; s[46] = e23; s[47] = o23; s[48] = e24; s[49] = o24;
}
