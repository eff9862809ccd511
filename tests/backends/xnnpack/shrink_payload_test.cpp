// Tests that shrunk constants contain, of each tensor, the elements with the smallest indices, whatever the
// layout.
#include "backends/xnnpack/format/shrink_payload.h"

#include "backends/xnnpack/delegate/stored_constants.h"
#include "backends/xnnpack/format/read_payload.h"
#include "tests/backends/xnnpack/real_payloads.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace et::backends::xnnpack {
namespace {

class NoNames final : public executor::NamedDataSource {
  public:
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view) const override { return std::nullopt; }
};

class NamesOf final : public executor::NamedDataSource {
  public:
    explicit NamesOf(const program::Program& of) : program(of) {}
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view name) const override {
        const program::NamedData* const found = program.findNamedData(name);
        return found == nullptr ? std::nullopt : std::optional(found->data);
    }

  private:
    const program::Program& program;
};

/// Returns one stored element of one, two or four bytes, or half a byte.
std::uint32_t elementAt(const StoredConstant& constant, std::span<const std::int64_t> index) {
    std::size_t at = 0;
    const auto& sizes = constant.elements.sizes;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        const bool isRow = constant.elements.packed && d + 1 == sizes.size();
        at = at * static_cast<std::size_t>(isRow ? (sizes[d] + 1) / 2 * 2 : sizes[d]) +
             static_cast<std::size_t>(index[d]);
    }
    const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(constant.data[i]); };
    if (constant.elements.packed) {
        return byte(at / 2) >> (at % 2 * 4) & 0xFU;
    }
    std::uint32_t bits = 0;
    const std::size_t width = core::elementBytes(constant.elements.dtype);
    for (std::size_t i = 0; i < width; ++i) {
        bits |= byte(at * width + i) << (8 * i);
    }
    return bits;
}

/// Returns the scale of an element.
std::optional<float> scaleAt(const StoredElements& elements, std::span<const std::int64_t> index) {
    if (elements.scales.size() < 2) {
        return elements.scales.empty() ? std::nullopt : std::optional(elements.scales.front());
    }
    auto at = static_cast<std::size_t>(index[elements.channelDim]);
    if (elements.blockSize != 0) {
        at = at * static_cast<std::size_t>(elements.sizes[1] / elements.blockSize) +
             static_cast<std::size_t>(index[1] / elements.blockSize);
    }
    return elements.scales.at(at);
}

/// Returns the number of elements. Fails if one differs from that of the whole tensor.
std::size_t compare(const StoredConstant& part, const StoredConstant& whole) {
    const auto& sizes = part.elements.sizes;
    std::vector<std::int64_t> index(sizes.size());
    std::size_t count = 0;
    for (bool isDone = false; !isDone; ++count) {
        EXPECT_EQ(elementAt(part, index), elementAt(whole, index)) << count;
        EXPECT_EQ(scaleAt(part.elements, index), scaleAt(whole.elements, index)) << count;
        isDone = true;
        for (std::size_t d = sizes.size(); d-- > 0 && isDone;) {
            isDone = ++index[d] == sizes[d];
            index[d] = isDone ? 0 : index[d];
        }
    }
    return count;
}

/// Returns the input sizes with the given changes.
std::map<std::uint32_t, std::vector<std::int64_t>> smallerInputs(const Payload& payload,
                                                                 const ChangedSizes& changes) {
    std::map<std::uint32_t, std::vector<std::int64_t>> sizes;
    for (const PayloadValue& value : payload.values) {
        if (value.externalId && value.isInput) {
            sizes[*value.externalId] =
                changedSizes(std::vector<std::int64_t>(value.sizes.begin(), value.sizes.end()), changes);
        }
    }
    return sizes;
}

/// Totals over all shrunk payloads.
struct Shrunk {
    std::size_t payloads = 0;
    std::size_t named = 0;  ///< constants stored outside the payload
    std::size_t halfBytes = 0;
    std::size_t blocks = 0;
    std::size_t elements = 0;
};

void shrinkOne(const program::Program& program, const program::Delegate& delegate, std::int64_t size,
               std::int64_t smaller, Shrunk& sum) {
    const NamesOf names(program);
    const Payload whole = readPayload(delegate.payload).value();
    const ChangedSizes changes{{size, smaller}};
    const auto written = shrinkPayload(
        whole, {.asked = changes, .constants = changes, .inputs = smallerInputs(whole, changes)}, names);
    if (!written) {
        return;
    }
    const auto part = readPayload(*written);
    ASSERT_TRUE(part) << part.error().toString();
    ++sum.payloads;
    const auto before = storedConstants(delegate.payload, names);
    const auto after = storedConstants(*written, names);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
        EXPECT_EQ(after[i].elements.sizes, changedSizes(before[i].elements.sizes, changes));
        if (after[i].elements.sizes == before[i].elements.sizes) {
            continue;
        }
        const PayloadValue& value = whole.values[before[i].value];
        sum.named += whole.constants[value.constant].name.empty() ? 0 : 1;
        sum.halfBytes += before[i].elements.packed ? 1 : 0;
        sum.blocks += before[i].elements.blockSize != 0 ? 1 : 0;
        EXPECT_TRUE(part->constants[part->values[after[i].value].constant].name.empty());
        sum.elements += compare(after[i], before[i]);
    }
}

TEST(ShrinkPayload, KeepsTheElementsWithTheSmallestIndices) {
    ET_NEEDS_SHARED_DATA();
    Shrunk sum;
    const auto take = [&](const auto&, const program::Program& program, const program::Delegate& delegate) {
        const auto payload = readPayload(delegate.payload);
        std::set<std::int64_t> sizes;
        for (std::size_t i = 0; payload && i < payload->values.size(); ++i) {
            const PayloadValue& value = payload->values[i];
            if (value.constant != 0) {
                sizes.insert(value.sizes.begin(), value.sizes.end());
            }
        }
        for (const std::int64_t size : sizes) {
            for (const std::int64_t smaller : {size / 2, size / 2 - 1, std::int64_t{1}}) {
                if (size <= 1024 && 1 <= smaller && smaller < size) {
                    shrinkOne(program, delegate, size, smaller, sum);
                }
            }
        }
    };
    for (const char* const folder : {"ops/xnnpack", "programs/mlp_8da4w", "programs/linear"}) {
        test::forEachXnnpackPayload(folder, take);
    }
    EXPECT_GT(sum.payloads, 300U);
    EXPECT_GT(sum.named, 300U);
    EXPECT_GT(sum.halfBytes, 10U);
    EXPECT_GT(sum.blocks, 5U);
    RecordProperty("payloads", static_cast<int>(sum.payloads));
    RecordProperty("elements", static_cast<int>(sum.elements));
}

TEST(ShrinkPayload, ErrorNamesUnknownName) {
    ET_NEEDS_SHARED_DATA();
    bool isTried = false;
    test::forEachXnnpackPayload("programs/linear", [&](const auto&, const auto&, const auto& delegate) {
        const Payload whole = readPayload(delegate.payload).value();
        const auto named = std::ranges::find_if(whole.values, [&](const PayloadValue& value) {
            return !whole.constants[value.constant].name.empty() && value.sizes.front() > 1;
        });
        if (named == whole.values.end()) {
            return;
        }
        isTried = true;
        const auto refused =
            shrinkPayload(whole, {.constants = {{std::int64_t{named->sizes.front()}, 1}}}, NoNames());
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, core::ErrorCode::NotFound);
        EXPECT_THAT(refused.error().message, testing::HasSubstr("no data named"));
    });
    EXPECT_TRUE(isTried);
}

TEST(ShrinkPayload, RejectsMismatchedInputs) {
    ET_NEEDS_SHARED_DATA();
    test::forEachXnnpackPayload(
        "programs/linear", [&](const auto&, const auto& program, const auto& delegate) {
            const Payload whole = readPayload(delegate.payload).value();
            const auto refused = shrinkPayload(whole, {.inputs = {{0, {1, 1}}}}, NamesOf(program));
            ASSERT_FALSE(refused);
            EXPECT_EQ(refused.error().code, core::ErrorCode::InvalidArgument);
        });
}

}  // namespace
}  // namespace et::backends::xnnpack
