// A number that is doubled, with 0 or 1 added, as long as it is less than Size / 2, and then is 1 again. Size is a power of two: Size - 1
// states, Size / 2 * 3 - 2 transitions, and a shortest run to half of them has one step less than Size has bits behind the first. What is
// carried along makes a state 33 words long, and leaves little that neighbours on disk have in common. For measurements of states on
// disk; bench/scale-2026-11-18.md.
protocol Wide
param Size = 4096
roles Clerk
var x : 1..Size - 1 = 1
var carried[1..32] : 0..4611686018427387903 = 0

start s
for b in 0..1 {
  s -- Clerk: append[b] when x < Size / 2 set x = 2 * x + b,
    carried[1] = (2 * x + b) * 34359754175, carried[2] = (2 * x + b) * 34359770013,
    carried[3] = (2 * x + b) * 34359785851, carried[4] = (2 * x + b) * 34359801689,
    carried[5] = (2 * x + b) * 34359817527, carried[6] = (2 * x + b) * 34359833365,
    carried[7] = (2 * x + b) * 34359849203, carried[8] = (2 * x + b) * 34359865041,
    carried[9] = (2 * x + b) * 34359880879, carried[10] = (2 * x + b) * 34359896717,
    carried[11] = (2 * x + b) * 34359912555, carried[12] = (2 * x + b) * 34359928393,
    carried[13] = (2 * x + b) * 34359944231, carried[14] = (2 * x + b) * 34359960069,
    carried[15] = (2 * x + b) * 34359975907, carried[16] = (2 * x + b) * 34359991745,
    carried[17] = (2 * x + b) * 34360007583, carried[18] = (2 * x + b) * 34360023421,
    carried[19] = (2 * x + b) * 34360039259, carried[20] = (2 * x + b) * 34360055097,
    carried[21] = (2 * x + b) * 34360070935, carried[22] = (2 * x + b) * 34360086773,
    carried[23] = (2 * x + b) * 34360102611, carried[24] = (2 * x + b) * 34360118449,
    carried[25] = (2 * x + b) * 34360134287, carried[26] = (2 * x + b) * 34360150125,
    carried[27] = (2 * x + b) * 34360165963, carried[28] = (2 * x + b) * 34360181801,
    carried[29] = (2 * x + b) * 34360197639, carried[30] = (2 * x + b) * 34360213477,
    carried[31] = (2 * x + b) * 34360229315, carried[32] = (2 * x + b) * 34360245153 --> s
}
s -- Clerk: again when x >= Size / 2 set x = 1,
    carried[1] = 0, carried[2] = 0, carried[3] = 0, carried[4] = 0, carried[5] = 0, carried[6] = 0, carried[7] = 0, carried[8] = 0,
    carried[9] = 0, carried[10] = 0, carried[11] = 0, carried[12] = 0, carried[13] = 0, carried[14] = 0, carried[15] = 0, carried[16] = 0,
    carried[17] = 0, carried[18] = 0, carried[19] = 0, carried[20] = 0, carried[21] = 0, carried[22] = 0, carried[23] = 0, carried[24] = 0,
    carried[25] = 0, carried[26] = 0, carried[27] = 0, carried[28] = 0, carried[29] = 0, carried[30] = 0, carried[31] = 0, carried[32] = 0 --> s
