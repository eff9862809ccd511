#include "runtime/kernels/elementwise/torch_functions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

// oneDNN's exact gelu on AVX-512, which is what PyTorch computes with there: erf(x / sqrt(2)) in 25 pieces,
// four an octave of |x|, each a polynomial of degree 5 (src/cpu/x64/injectors/jit_uni_eltwise_injector.cpp).
namespace et::kernels::torch {
namespace {

/// The bits of the coefficients of one piece, from degree 0 on.
using Piece = std::array<std::uint32_t, 6>;

constexpr std::int32_t pieceBits = 21;  ///< two bits of the mantissa choose the piece
constexpr std::uint32_t firstPiece =
    0xc21fffffU;  ///< added to the bits of |x|, gives the first piece number 1
constexpr auto saturation = std::bit_cast<float>(0x40b15ceeU);  ///< from here on erf() is 1
constexpr std::int32_t saturated = 23;
constexpr std::int32_t last = 24;

constexpr std::array<Piece, 25> pieces{{
    {0xa6f2cb94U, 0x3f4c422aU, 0xb62173f4U, 0xbe081a19U, 0xba3d61dbU, 0x3cb7d80cU},
    {0x32827792U, 0x3f4c421fU, 0x3735e4cfU, 0xbe084570U, 0x39f097a3U, 0x3c9b6050U},
    {0x3381cc0cU, 0x3f4c4207U, 0x37f2ff89U, 0xbe08639bU, 0x3a5845dcU, 0x3c978d11U},
    {0x34523d4aU, 0x3f4c41cbU, 0x388c23beU, 0xbe089837U, 0x3ab1fa35U, 0x3c92e850U},
    {0x351ac44dU, 0x3f4c413bU, 0x3917535cU, 0xbe08f409U, 0x3b0cefb8U, 0x3c8d058bU},
    {0x35f36d88U, 0x3f4c3fadU, 0x39ab2ab0U, 0xbe09ab95U, 0x3b653ab6U, 0x3c848454U},
    {0x36ee8229U, 0x3f4c3a2fU, 0x3a60fadbU, 0xbe0b66d0U, 0x3bcae527U, 0x3c6cd623U},
    {0x37b8a3bbU, 0x3f4c2d40U, 0x3af9b960U, 0xbe0e400aU, 0x3c221712U, 0x3c4c824bU},
    {0x3867a213U, 0x3f4c146aU, 0x3b6e5491U, 0xbe124df8U, 0x3c6c5840U, 0x3c2a7935U},
    {0x3940033bU, 0x3f4bc341U, 0x3c0a4ec5U, 0xbe1bde02U, 0x3cc0a703U, 0x3be0b390U},
    {0x3a2a5a1dU, 0x3f4ad08cU, 0x3ca5aa8cU, 0xbe2f19c9U, 0x3d1dcc19U, 0x3b0651acU},
    {0x3ae35863U, 0x3f48f8cfU, 0x3d2138d9U, 0xbe4931bfU, 0x3d63656dU, 0xbb232f53U},
    {0x3b7828f2U, 0x3f45fac7U, 0x3d8737d4U, 0xbe685fbcU, 0x3d955907U, 0xbbd42fa0U},
    {0x3c08b14bU, 0x3f404e07U, 0x3ddfb660U, 0xbe89c95fU, 0x3dbf9910U, 0xbc2c5366U},
    {0x3c515ed3U, 0x3f3b980fU, 0x3e0f27abU, 0xbe96cbcaU, 0x3dd53f69U, 0xbc492c9eU},
    {0xbb503236U, 0x3f48dff3U, 0x3d94004bU, 0xbe8044aaU, 0x3db7dcefU, 0xbc2a7aa6U},
    {0xbd8d8e5eU, 0x3f78b21bU, 0xbe0efdebU, 0xbe0550f2U, 0x3d639ebeU, 0xbbd55d04U},
    {0xbe8abcd9U, 0x3fbb0704U, 0xbf1d96c3U, 0x3dcfd6a1U, 0xba6ede48U, 0xba823a76U},
    {0xbf0c19a2U, 0x40019c32U, 0xbf89db58U, 0x3e94c826U, 0xbd22be69U, 0x3b102aa8U},
    {0xbeccb328U, 0x3fe536d6U, 0xbf6d9897U, 0x3e79345fU, 0xbd041cf1U, 0x3ae25a7eU},
    {0x3e176cedU, 0x3f81331eU, 0xbef69fb8U, 0x3decec91U, 0xbc64f5abU, 0x3a31f792U},
    {0x3f470d99U, 0x3e6c8684U, 0xbdc4f8a8U, 0x3ca46568U, 0xbb097a32U, 0x38b84375U},
    {0x3f7abb28U, 0x3c98f936U, 0xbbde6422U, 0x3aa1e00aU, 0xb8ebf380U, 0x3689bb5aU},
    {0x3f800000U, 0x00000000U, 0x00000000U, 0x00000000U, 0x00000000U, 0x00000000U},
    {0x00000000U, 0x3f800000U, 0x00000000U, 0x00000000U, 0x00000000U, 0x00000000U},
}};

std::int32_t pieceOf(float magnitude) {
    if (magnitude > saturation) {
        return saturated;
    }
    const auto bits = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(magnitude) + firstPiece);
    return std::clamp(bits >> pieceBits, 1, last);
}

float geluOf(float x) {
    constexpr float half = 0.5F;
    const float magnitude = std::abs(x);
    const Piece& piece = pieces[static_cast<std::size_t>(pieceOf(magnitude))];
    auto erf = std::bit_cast<float>(piece.back());
    for (std::size_t degree = piece.size() - 1; degree-- > 0;) {
        erf = std::fma(erf, magnitude, std::bit_cast<float>(piece[degree]));
    }
    return x * (std::copysign(1.0F, x) * erf + 1) * half;
}

}  // namespace

void gelu(const float* const* inputs, float* out, std::size_t count, const Numbers<float>& /*numbers*/) {
    std::transform(inputs[0], inputs[0] + count, out, geluOf);
}

}  // namespace et::kernels::torch
