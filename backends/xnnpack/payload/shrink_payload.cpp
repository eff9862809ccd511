#include "backends/xnnpack/payload/shrink_payload.h"

#include "backends/xnnpack/payload/write_payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <utility>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Makes constants smaller, and keeps their bytes until they are written.
class Shrinker {
  public:
    Shrinker(Payload& which, const PayloadChanges& how) : payload(which), changes(how) {}

    Result<> run() {
        for (PayloadValue& value : payload.values) {
            if (value.constant != 0) {
                ET_TRY(shrink(value));
            }
        }
        for (PayloadNode& node : payload.nodes) {
            if (auto* const convolution = std::get_if<ConvolutionFields>(&node.fields)) {
                for (std::uint32_t* const each : {&convolution->groups, &convolution->groupInputChannels,
                                                  &convolution->groupOutputChannels}) {
                    *each = changed(*each, changes.constants);
                }
            } else if (auto* const reshape = std::get_if<ReshapeFields>(&node.fields)) {
                ask(reshape->sizes);
            } else if (auto* const slice = std::get_if<SliceFields>(&node.fields)) {
                for (std::uint32_t& each : slice->sizes) {
                    each = changed(each, changes.asked);
                }
            }
        }
        dropUnused();
        return {};
    }

  private:
    static std::uint32_t changed(std::uint32_t size, const ChangedSizes& by) {
        const auto found = by.find(size);
        return found == by.end() ? size : static_cast<std::uint32_t>(found->second);
    }

    /// One of the sizes that change, or that are made of one, becomes what is left.
    void ask(std::vector<std::uint32_t>& sizes) const {
        const bool isOpen = std::ranges::contains(sizes, 0U);
        const auto isMade = [&](std::uint32_t size) {
            return !changes.asked.contains(size) && std::ranges::any_of(changes.asked, [&](const auto& each) {
                return each.first > 1 && std::int64_t{size} % each.first == 0;
            });
        };
        const auto made = std::ranges::find_if(sizes, isMade);
        for (auto each = sizes.begin(); each != sizes.end(); ++each) {
            *each = !isOpen && each == made ? 0 : changed(*each, changes.asked);
        }
    }

    Result<> shrink(PayloadValue& value) {
        const std::vector<std::int64_t> before(value.sizes.begin(), value.sizes.end());
        const std::vector<std::int64_t> after = changedSizes(before, changes.constants);
        if (before == after) {
            return {};
        }
        const DatatypeTraits* const type = datatypeTraits(value.datatype);
        const PayloadConstant constant = payload.constants[value.constant];
        if (!constant.name.empty() || type == nullptr || type->bits % 8 != 0 || type->bits == 0) {
            return fail(ErrorCode::Unsupported,
                        fmt::format("value {}: constants of {} cannot become smaller", value.id,
                                    constant.name.empty() ? datatypeName(value.datatype) : "other files"));
        }
        ET_ASSIGN(value.constant, add(constant.data, type->bits / 8U, before, after));
        value.sizes.assign(after.begin(), after.end());
        return shrinkScales(value, before);
    }

    /// A scale a channel.
    Result<> shrinkScales(PayloadValue& value, const std::vector<std::int64_t>& before) {
        if (std::holds_alternative<BlockwiseQuantization>(value.quantization)) {
            return fail(ErrorCode::Unsupported,
                        fmt::format("value {}: blocks of scales cannot become smaller", value.id));
        }
        auto* const channels = std::get_if<PerChannelQuantization>(&value.quantization);
        if (channels == nullptr || channels->channelDim >= before.size()) {
            return {};
        }
        const std::uint32_t count = value.sizes[channels->channelDim];
        if (!channels->scales.empty()) {
            channels->scales.resize(std::min<std::size_t>(channels->scales.size(), count));
        } else if (channels->scaleCount > count) {
            const PayloadConstant constant = payload.constants[channels->scaleConstant];
            const std::int64_t all[] = {channels->scaleCount};
            const std::int64_t some[] = {count};
            ET_ASSIGN(channels->scaleConstant, add(constant.data, sizeof(float), all, some));
        }
        channels->scaleCount = std::min(channels->scaleCount, count);
        return {};
    }

    /// Those that have become smaller.
    void dropUnused() {
        std::set<std::uint32_t> used{0};
        for (const PayloadValue& value : payload.values) {
            used.insert(value.constant);
            if (const auto* const channels = std::get_if<PerChannelQuantization>(&value.quantization)) {
                used.insert(channels->scaleConstant);
            } else if (const auto* const blocks = std::get_if<BlockwiseQuantization>(&value.quantization)) {
                used.insert(blocks->scaleConstant);
            }
        }
        for (std::uint32_t i = 0; i < payload.constants.size(); ++i) {
            if (!used.contains(i)) {
                payload.constants[i] = {};
            }
        }
    }

    Result<std::uint32_t> add(core::Bytes data, std::size_t elementBytes,
                              std::span<const std::int64_t> before, std::span<const std::int64_t> after) {
        ET_ASSIGN(auto block, leadingBlock(data, elementBytes, before, after));
        payload.constants.push_back({.data = kept.emplace_back(std::move(block)), .name = {}});
        return static_cast<std::uint32_t>(payload.constants.size() - 1);
    }

    Payload& payload;
    const PayloadChanges& changes;
    std::deque<std::vector<std::byte>> kept;
};

}  // namespace

Result<std::vector<std::byte>> shrinkPayload(Payload payload, const PayloadChanges& changes) {
    Shrinker shrinker(payload, changes);
    ET_TRY(shrinker.run());
    return writePayload(payload);
}

}  // namespace et::backends::xnnpack
