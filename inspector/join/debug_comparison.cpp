#include "inspector/join/debug_comparison.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace et::inspector::join::detail {

namespace {

using etdump::DebugTensor;
using etdump::DebugValue;

}  // namespace

DebugComparison::DebugComparison(const etdump::Trace& source, const core::MappedFile* debugBuffer)
    // The runtime never logs a byte twice, so all comparisons together read the buffer at most once; the
    // factor 2 allows for a shared list. Only a damaged file exceeds it.
    : trace(source),
      buffer(debugBuffer),
      budget(debugBuffer == nullptr ? 0 : 2 * debugBuffer->bytes().size()) {
}

bool DebugComparison::same(std::span<const etdump::EventIndex> a, std::span<const etdump::EventIndex> b) {
    return std::ranges::equal(a, b, [this](etdump::EventIndex left, etdump::EventIndex right) {
        return sameValue(trace.debugValue(left), trace.debugValue(right));
    });
}

std::optional<std::string> DebugComparison::complaint() const {
    if (outside == 0) {
        return std::nullopt;
    }
    return fmt::format(
        "the debug buffer {} does not contain {} of the tensors that the trace logged; the first is at "
        "offset {}",
        core::printable(buffer->name()), outside, firstOutside);
}

bool DebugComparison::sameValue(const DebugValue& a, const DebugValue& b) {
    if (a.value.index() != b.value.index()) {
        return false;
    }
    return std::visit(
        [this, &b](const auto& left) {
            using T = std::decay_t<decltype(left)>;
            const auto& right = std::get<T>(b.value);
            if constexpr (std::is_same_v<T, DebugTensor>) {
                return sameTensor(left, right);
            } else if constexpr (std::is_same_v<T, std::vector<DebugTensor>>) {
                return std::ranges::equal(left, right, [this](const DebugTensor& x, const DebugTensor& y) {
                    return sameTensor(x, y);
                });
            } else if constexpr (std::is_floating_point_v<T>) {
                // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits are what is compared
                return std::memcmp(&left, &right, sizeof(T)) == 0;  // NaN equals NaN
            } else {
                return left == right;
            }
        },
        a.value);
}

bool DebugComparison::sameTensor(const DebugTensor& a, const DebugTensor& b) {
    if (a.scalarType != b.scalarType || a.sizes != b.sizes) {
        return false;
    }
    const auto left = bytesOf(a);
    const auto right = bytesOf(b);
    if (!left || !right || left->data() == right->data() || budget < left->size()) {
        return true;  // no data to distinguish them
    }
    budget -= left->size();
    return std::ranges::equal(*left, *right);
}

std::optional<core::Bytes> DebugComparison::bytesOf(const DebugTensor& tensor) {
    const auto size = core::tensorBytes(tensor.scalarType, tensor.sizes);
    if (buffer == nullptr || !size || *size == 0) {
        return std::nullopt;  // an empty tensor is logged without an offset
    }
    const std::uint64_t available = buffer->bytes().size();
    const auto begin = static_cast<std::uint64_t>(tensor.offset);
    const auto wanted = static_cast<std::uint64_t>(*size);
    if (tensor.offset < 0 || begin > available || wanted > available - begin) {
        firstOutside = outside++ == 0 ? tensor.offset : firstOutside;
        return std::nullopt;
    }
    return buffer->bytes().subspan(begin, wanted);
}

}  // namespace et::inspector::join::detail
