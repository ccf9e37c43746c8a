package eviction

import (
	"math"
	"math/big"
	"testing"
)

// pow2Pairs are x and Python's 2.0 ** x on x86-64 glibc with fused
// multiply-add: the halves of days, subnormal results, both ends.
var pow2Pairs = [][2]float64{
	{0x0.0p+0, 0x1.0000000000000p+0},
	{0x1.0000000000000p+0, 0x1.0000000000000p+1},
	{-0x1.0000000000000p+0, 0x1.0000000000000p-1},
	{0x1.0000000000000p-1, 0x1.6a09e667f3bcdp+0},
	{-0x1.0000000000000p-1, 0x1.6a09e667f3bcdp-1},
	{-0x1.6c16c16c16c17p-7, 0x1.fc126898365e4p-1},
	{-0x1.3e93e93e93e94p-4, 0x1.e520d174009eep-1},
	{-0x1.0000000000000p+1, 0x1.0000000000000p-2},
	{-0x1.1111111111111p-5, 0x1.f44e4fb6c55d7p-1},
	{-0x1.4000000000000p+5, 0x1.0000000000000p-40},
	{-0x1.ff40000000000p+9, 0x0.b504f333f9de6p-1022},
	{-0x1.0c80000000000p+10, 0x0.0000000000001p-1022},
	{-0x1.0ca0000000000p+10, 0x0.0000000000001p-1022},
	{-0x1.0cc0000000000p+10, 0x0.0p+0},
	{-0x1.0e00000000000p+10, 0x0.0p+0},
	{-0x1.ffd999999999ap+9, 0x0.4ecb11effe09fp-1022},
	{0x1.fff3333333333p+9, 0x1.ddb680117aa8ep+1023},
	{0x1.0000000000000p-54, 0x1.0000000000000p+0},
	{-0x1.0000000000000p-54, 0x1.0000000000000p+0},
	{-0x1.0000000000000p-66, 0x1.0000000000000p+0},
	{0x1.12e0be826d695p-30, 0x1.00000002fa1f9p+0},
	{-0x1.12e0be826d695p-30, 0x1.fffffffa0bc0dp-1},
	{-0x1.8ea836b46f838p+4, 0x1.0f55cd263dff7p-25},
	{-0x1.dabe615caeceap+4, 0x1.41772fc28f80fp-30},
	{-0x1.fcec83873c59fp+4, 0x1.247e2925fb0bfp-32},
	{-0x1.2d9586f9a9128p+5, 0x1.3b9b930573084p-38},
	{-0x1.d988fb84299bep+4, 0x1.52beca4dd07adp-30},
	{-0x1.2724dd1d339bap+5, 0x1.13b562bba52a2p-37},
	{-0x1.29037733a544cp+0, 0x1.ca2fb8c8febfcp-2},
	{-0x1.29ff9d9e13a19p+4, 0x1.4c03345976599p-19},
	{-0x1.2ddfc841f64c9p+5, 0x1.33c6598e68460p-38},
	{-0x1.9f57fda425f45p+4, 0x1.076205c334c94p-26},
	{-0x1.2049c4ae46285p+5, 0x1.f3600c4c783b0p-37},
	{-0x1.21cea936f94f9p+2, 0x1.63056e1df83e1p-5},
	{-0x1.2c3445d579c35p+4, 0x1.2dc1819013169p-19},
	{-0x1.3b9cfc5cebd82p+3, 0x1.1984c64df3961p-10},
	{-0x1.04320d58052f4p+10, 0x0.00002537da913p-1022},
	{-0x1.04c2eaee85993p+10, 0x0.000007c04b8dep-1022},
	{-0x1.f47de56ead6bap+9, 0x1.02eee1e3a09dap-1001},
	{-0x1.fc209b2859c80p+9, 0x1.ad20d2fbcd0abp-1017},
	{-0x1.fe7b07dcda7dap+9, 0x1.06fb7fdcbf040p-1021},
	{-0x1.0b2e75316079bp+10, 0x0.0000000000027p-1022},
	{0x1.880d2a98ec8a7p+9, 0x1.12eb3f5be8882p+784},
	{0x1.46de92c30d8b4p+7, 0x1.5a053b96b84e1p+163},
	{0x1.9823a6849a879p+9, 0x1.3683d81405f85p+816},
	{0x1.1c32179e30690p+7, 0x1.11f67d0d55a70p+142},
	{0x1.3c22bc9c78301p+9, 0x1.34fb80091045fp+632},
	{0x1.037ae321da894p+7, 0x1.ab91b74727ebfp+129},
}

// log1pPairs are x and Python's math.log1p(x) there: every branch, and some
// for which math.Log1p gives another last bit.
var log1pPairs = [][2]float64{
	{0x0.0p+0, 0x0.0p+0},
	{0x1.0000000000000p+3, 0x1.193ea7aad030bp+1},
	{0x1.0000000000000p+0, 0x1.62e42fefa39efp-1},
	{0x1.c000000000000p+1, 0x1.810b375dce91ep+0},
	{0x1.0000000000000p-60, 0x1.0000000000000p-60},
	{0x1.0000000000000p-30, 0x1.fffffffc00000p-31},
	{0x1.0000000000000p-20, 0x1.fffff00000aabp-21},
	{0x1.a827999fcef32p-2, 0x1.62e42fefa39efp-2},
	{0x1.a827999fcef34p-2, 0x1.62e42fefa39f0p-2},
	{0x1.9fdf8bcce533ep+1, 0x1.725a021d55cd6p+0},
	{0x1.7e43c8800759cp+996, 0x1.5963447f87fb5p+9},
	{0x1.0000000000000p+53, 0x1.25e4f7b2737fap+5},
	{0x1.0000000000001p+52, 0x1.205966f2b4f12p+5},
	{0x1.0000080000000p+20, 0x1.bb9d3eeb8c62bp+3},
	{0x1.8000000000000p+1, 0x1.62e42fefa39efp+0},
	{0x1.c000000000000p+2, 0x1.0a2b23f3bab73p+1},
	{0x1.ff80000000000p+9, 0x1.bb9d3beb8c86bp+2},
	{0x1.ff80080000000p+9, 0x1.bb9d3ceb8c84bp+2},
	{0x1.29344cadae1a2p+3, 0x1.2a5c53d953acbp+1},
	{0x1.91b5c2be3ef7ap+0, 0x1.e31dca919c082p-1},
	{0x1.5476e5d2fbae7p+3, 0x1.3a29f71d42bdbp+1},
	{0x1.683053776040ep+3, 0x1.40c4d99bfe4a1p+1},
	{0x1.28e7ea934b4a6p+2, 0x1.bacfdcf82d94dp+0},
	{0x1.22cb1dc977a80p-6, 0x1.203e330256126p-6},
	{0x1.16d97a0836681p+3, 0x1.230470e4df84ap+1},
	{0x1.0c1aaadbc665dp+1, 0x1.21308b2c75322p+0},
	{0x1.13d0de999ece3p+1, 0x1.262032cad9875p+0},
	{0x1.3a5fefeea25ebp+3, 0x1.30de57ff8be38p+1},
	{0x1.172ba4e6a8cd1p+3, 0x1.2326420deddf9p+1},
	{0x1.724f84722f28dp+1, 0x1.5bf4184d1f79bp+0},
	{0x1.33ac46dff4a06p+3, 0x1.2e5e1f1849d6ep+1},
	{0x1.b9bb5b8cea21dp-3, 0x1.8fff60b0755dap-3},
	{0x1.15a3ad533cc55p-2, 0x1.eb54e1a5599c0p-3},
	{0x1.4f82c0f201784p-4, 0x1.427a09ff952f9p-4},
	{0x1.816c7c3197114p-2, 0x1.4721ae596a05ap-2},
	{0x1.1ae30e707aeedp-2, 0x1.f3924e50599b3p-3},
}

func TestPow2GivesPythonsBits(t *testing.T) {
	for _, pair := range pow2Pairs {
		if got := pow2(pair[0]); got != pair[1] {
			t.Errorf("pow2(%x) = %x, want %x", pair[0], got, pair[1])
		}
	}
}

func TestLog1pGivesPythonsBits(t *testing.T) {
	for _, pair := range log1pPairs {
		if got := log1p(pair[0]); got != pair[1] {
			t.Errorf("log1p(%x) = %x, want %x", pair[0], got, pair[1])
		}
	}
}

func TestPow2OfAnIntegerIsExact(t *testing.T) {
	for n := -1100; n <= 1100; n++ {
		if got, want := pow2(float64(n)), math.Ldexp(1, n); got != want {
			t.Errorf("pow2(%d) = %x, want %x", n, got, want)
		}
	}
}

func TestPow2AndLog1pTakeEveryEnd(t *testing.T) {
	if !math.IsInf(pow2(math.Inf(1)), 1) || pow2(math.Inf(-1)) != 0 || !math.IsNaN(pow2(math.NaN())) {
		t.Error("pow2 of an infinity or NaN")
	}
	if !math.IsInf(log1p(math.Inf(1)), 1) || !math.IsNaN(log1p(math.NaN())) {
		t.Error("log1p of an infinity or NaN")
	}
	if got := log1p(8) / logOf9; got != 1 {
		t.Errorf("the heat of eight accesses is %v, want 1", got)
	}
}

// Each entry is derived with 300 bits: 2^(i/128) as seven square roots of 2^i.
func TestPow2TableIsWhatItSays(t *testing.T) {
	for i, entry := range exp2Table {
		power := new(big.Float).SetPrec(300).SetUint64(1)
		power.SetMantExp(power, i)
		for range 7 {
			power.Sqrt(power)
		}
		nearest, _ := power.Float64()
		off := new(big.Float).SetPrec(300).Sub(power, new(big.Float).SetPrec(300).SetFloat64(nearest))
		off.Quo(off, big.NewFloat(nearest))
		tail, _ := off.Float64()
		if bits := math.Float64bits(nearest) - uint64(i)<<45; entry.bits != bits || entry.tail != tail {
			t.Errorf("entry %d is {%#x, %x}, want {%#x, %x}", i, entry.bits, entry.tail, bits, tail)
		}
	}
}
