#include "tests/fuzz/support/fit_payload.h"

#include <algorithm>
#include <cstdint>
#include <variant>

namespace et::fuzz {
namespace {

namespace xnnpack = backends::xnnpack;
using xnnpack::PayloadValue;

constexpr std::size_t largestConstant = 1 << 16;

std::uint64_t elementsOf(const PayloadValue& value) {
    std::uint64_t count = 1;
    for (const std::uint32_t size : value.sizes) {
        count = std::min<std::uint64_t>(count * size, std::uint64_t{1} << 40);
    }
    return count;
}

template <class Parameters, class Scale>
void fitScales(Parameters& parameters, std::uint64_t count, Scale usual) {
    if (parameters.scaleConstant == 0 && count < largestConstant) {
        parameters.scales.resize(static_cast<std::size_t>(count), usual);
        parameters.scaleCount = static_cast<std::uint32_t>(count);
    }
}

}  // namespace

void PayloadFitting::fit() {
    for (PayloadValue& value : payload.values) {
        if (auto* channels = std::get_if<xnnpack::PerChannelQuantization>(&value.quantization)) {
            const bool exists = channels->channelDim < value.sizes.size();
            fitScales(*channels, exists ? value.sizes[channels->channelDim] : 0, 0.01F);
        }
        if (auto* blocks = std::get_if<xnnpack::BlockwiseQuantization>(&value.quantization)) {
            const bool exists = blocks->blockSize != 0 && value.sizes.size() == 2;
            constexpr std::uint16_t one = 0x3F80;
            fitScales(*blocks, exists ? elementsOf(value) / blocks->blockSize : 0, one);
        }
        if (value.constant != 0 && value.constant < payload.constants.size()) {
            fitConstant(payload.constants[value.constant], value);
        }
    }
}

void PayloadFitting::fitConstant(xnnpack::PayloadConstant& constant, const PayloadValue& value) {
    const auto* traits = xnnpack::datatypeInfo(value.datatype);
    const std::uint64_t need = traits == nullptr ? 0 : (elementsOf(value) + 1) * traits->bits / 8 + 16;
    if (!constant.name.empty() || need > largestConstant || need <= constant.data.size()) {
        return;
    }
    auto& grown = kept.emplace_back(
        std::make_unique<std::vector<std::byte>>(constant.data.begin(), constant.data.end()));
    grown->resize(static_cast<std::size_t>(need), std::byte{0x3D});
    constant.data = *grown;
}

}  // namespace et::fuzz
