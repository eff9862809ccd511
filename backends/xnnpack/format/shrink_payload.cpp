#include "backends/xnnpack/format/shrink_payload.h"

#include "backends/xnnpack/format/write_payload.h"
#include "backends/xnnpack/nodes/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using Sizes = std::vector<std::int64_t>;

/// Shrinks constants, and owns their bytes until they are written.
class Shrinker {
  public:
    Shrinker(Payload& which, const PayloadChanges& how, const executor::NamedDataSource& from)
        : payload(which), changes(how), named(from) {}

    Result<> run() {
        for (PayloadValue& value : payload.values) {
            if (value.constant != 0) {
                ET_TRY(shrink(value));
            } else if (value.externalId && value.isInput) {
                setInput(value);
            }
        }
        for (PayloadNode& node : payload.nodes) {
            change(node.fields);
        }
        dropUnused();
        return followSizes();
    }

  private:
    static std::uint32_t changed(std::uint32_t size, const ChangedSizes& by) {
        const auto found = by.find(size);
        return found == by.end() ? size : static_cast<std::uint32_t>(found->second);
    }

    void setInput(PayloadValue& value) const {
        const auto given = changes.inputs.find(*value.externalId);
        if (given != changes.inputs.end() && given->second.size() == value.sizes.size()) {
            value.sizes.assign(given->second.begin(), given->second.end());
            return;
        }
        for (std::uint32_t& each : value.sizes) {
            each = changed(each, changes.constants);
        }
    }

    void change(NodeFields& fields) const {
        if (auto* const convolution = std::get_if<ConvolutionFields>(&fields)) {
            for (std::uint32_t* const each : {&convolution->groups, &convolution->groupInputChannels,
                                              &convolution->groupOutputChannels}) {
                *each = changed(*each, changes.constants);
            }
        } else if (auto* const reshape = std::get_if<ReshapeFields>(&fields)) {
            ask(reshape->sizes);
        } else if (auto* const slice = std::get_if<SliceFields>(&fields)) {
            for (std::uint32_t& each : slice->sizes) {
                each = changed(each, changes.asked);
            }
        }
    }

    /// Replaces a size that changes, or that is a product of one, by the inferred size.
    void ask(PayloadDims& sizes) const {
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

    /// The library trusts the sizes of all values, so inner values are updated too.
    Result<> followSizes() {
        Shapes shapes = exportedShapes(payload);
        ET_TRY(followShapes(payload, shapes, std::numeric_limits<std::uint64_t>::max()));
        for (ValueIndex i = 0; i < payload.values.size(); ++i) {
            if (payload.values[i].constant == 0) {
                payload.values[i].sizes.assign(shapes[i].begin(), shapes[i].end());
            }
        }
        return {};
    }

    Result<> shrink(PayloadValue& value) {
        const Sizes before(value.sizes.begin(), value.sizes.end());
        const Sizes after = changedSizes(before, changes.constants);
        if (before == after) {
            return {};
        }
        const DatatypeInfo* const type = datatypeInfo(value.datatype);
        if (type == nullptr || type->bits == 0) {
            return fail(ErrorCode::Unsupported,
                        fmt::format("value {}: constants of {} cannot be made smaller", value.id,
                                    datatypeName(value.datatype)));
        }
        ET_ASSIGN(value.constant, type->bits < 8 ? addHalfBytes(value.constant, before, after)
                                                 : add(value.constant, type->bits / 8U, before, after));
        value.sizes.assign(after.begin(), after.end());
        return shrinkScales(value, before, after);
    }

    Result<> shrinkScales(PayloadValue& value, const Sizes& before, const Sizes& after) {
        if (auto* const channels = std::get_if<PerChannelQuantization>(&value.quantization)) {
            const std::size_t d = channels->channelDim;
            return d < before.size() ? shrinkScales(*channels, {before[d]}, {after[d]}) : Result<>();
        }
        auto* const blocks = std::get_if<BlockwiseQuantization>(&value.quantization);
        if (blocks == nullptr) {
            return {};
        }
        // One row of scales per channel; each scale covers a block of its elements.
        const std::int64_t size = blocks->blockSize;
        if (before.size() != 2 || blocks->channelDim != 0 || size == 0 || before[1] % size != 0 ||
            after[1] % size != 0) {
            return fail(
                ErrorCode::Unsupported,
                fmt::format("value {}: blocks of {} elements cannot be made smaller", value.id, size));
        }
        return shrinkScales(*blocks, {before[0], before[1] / size}, {after[0], after[1] / size});
    }

    template <class Scales>
    Result<> shrinkScales(Scales& of, const Sizes& before, const Sizes& after) {
        using Scale = typename decltype(of.scales)::value_type;
        if (of.scales.empty()) {
            ET_ASSIGN(of.scaleConstant, add(of.scaleConstant, sizeof(Scale), before, after));
        } else {
            ET_ASSIGN(const auto block,
                      leadingBlock(std::as_bytes(std::span(of.scales)), sizeof(Scale), before, after));
            of.scales.resize(block.size() / sizeof(Scale));
            std::memcpy(of.scales.data(), block.data(), block.size());
        }
        of.scaleCount = 1;
        for (const std::int64_t each : after) {
            of.scaleCount *= static_cast<std::uint32_t>(each);
        }
        return {};
    }

    /// Drops constants replaced by smaller ones.
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

    /// Two elements per byte, the first one in the lower half; rows are padded to whole bytes.
    Result<std::uint32_t> addHalfBytes(std::uint32_t constant, Sizes before, Sizes after) {
        const std::int64_t row = after.back();
        before.back() = (before.back() + 1) / 2;
        after.back() = (row + 1) / 2;
        ET_ASSIGN(const std::uint32_t added, add(constant, 1, before, after));
        std::vector<std::byte>& bytes = kept.back();
        for (std::size_t at = static_cast<std::size_t>(after.back()); row % 2 != 0 && at <= bytes.size();
             at += static_cast<std::size_t>(after.back())) {
            bytes[at - 1] &= std::byte{0x0F};
        }
        return added;
    }

    /// Adds a smaller copy to the payload itself, since others may use all of the named data.
    Result<std::uint32_t> add(std::uint32_t constant, std::size_t elementBytes, const Sizes& before,
                              const Sizes& after) {
        const PayloadConstant& whole = payload.constants[constant];
        const auto data = whole.name.empty() ? std::optional(whole.data) : named.find(whole.name);
        if (!data) {
            return fail(ErrorCode::NotFound,
                        fmt::format("no data named \"{}\"", core::printable(whole.name)));
        }
        ET_ASSIGN(auto block, leadingBlock(*data, elementBytes, before, after));
        payload.constants.push_back({.data = kept.emplace_back(std::move(block)), .name = {}});
        return static_cast<std::uint32_t>(payload.constants.size() - 1);
    }

    Payload& payload;
    const PayloadChanges& changes;
    const executor::NamedDataSource& named;
    std::deque<std::vector<std::byte>> kept;
};

}  // namespace

Result<std::vector<std::byte>> shrinkPayload(Payload payload, const PayloadChanges& changes,
                                             const executor::NamedDataSource& named) {
    Shrinker shrinker(payload, changes, named);
    ET_TRY(shrinker.run());
    return writePayload(payload);
}

}  // namespace et::backends::xnnpack
