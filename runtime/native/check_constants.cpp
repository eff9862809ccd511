#include "runtime/core/scalar_type.h"
#include "runtime/native/quantized.h"
#include "runtime/native/read_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace et::native {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

std::string typeText(std::int8_t type, std::span<const std::int64_t> sizes) {
    return fmt::format("{} [{}]", core::scalarTypeName(type), fmt::join(sizes, ", "));
}

/// Checks one constant of a method; `field` names the method.
class ConstantCheck {
  public:
    ConstantCheck(const FindTensor& source, std::string methodField)
        : find(source), field(std::move(methodField)) {}

    Result<> check(const std::string& key, const TensorMeta& meta) const {
        const auto stored = find(key);
        if (!stored) {
            return fail(ErrorCode::Format,
                        fmt::format("the graph needs \"{}\", which is not stored", core::printable(key)),
                        {.field = field});
        }
        auto expected = storedBytes(meta);
        if (!expected) {
            core::Error error = std::move(expected).error();
            error.message = fmt::format("\"{}\": {}", core::printable(key), error.message);
            error.where.field = field;
            return core::passOn(std::move(error));
        }
        if (!meta.isQuantized()) {
            return checkDense(key, meta, *stored, **expected);
        }
        if (*expected && **expected != stored->data.size()) {
            return mismatch(key, fmt::format("{} bytes of {}", stored->data.size(), "packed data"),
                            fmt::format("{} bytes ({})", **expected, quantizationText(meta.quantization)));
        }
        if (const auto* groups = std::get_if<AffineGroups>(&meta.quantization)) {
            return checkGroups(*groups, meta);
        }
        return {};
    }

  private:
    [[nodiscard]] std::unexpected<core::Error> mismatch(const std::string& key, const std::string& stored,
                                                        const std::string& expected) const {
        return fail(ErrorCode::Format,
                    fmt::format("\"{}\" is stored as {}, but the graph expects {}", core::printable(key),
                                stored, expected),
                    {.field = field});
    }

    Result<> checkDense(const std::string& key, const TensorMeta& meta, const StoredTensor& stored,
                        std::uint64_t bytes) const {
        const std::vector<std::int64_t> sizes = fixedSizes(meta).value_or(std::vector<std::int64_t>());
        const bool isTyped = stored.scalarType.has_value();
        if (isTyped && (*stored.scalarType != meta.scalarType || !std::ranges::equal(stored.sizes, sizes))) {
            return mismatch(key, typeText(*stored.scalarType, stored.sizes),
                            typeText(meta.scalarType, sizes));
        }
        if (stored.data.size() != bytes) {
            return mismatch(key, fmt::format("{} bytes", stored.data.size()),
                            fmt::format("{} ({} bytes)", typeText(meta.scalarType, sizes), bytes));
        }
        return {};
    }

    Result<> checkGroups(const AffineGroups& groups, const TensorMeta& meta) const {
        const auto sizes = groupSizes(groups, fixedSizes(meta).value_or(std::vector<std::int64_t>()));
        TensorMeta scales{.scalarType = groups.scaleType};
        for (const std::int64_t size : sizes) {
            scales.sizes.push_back({.minimum = size, .maximum = size});
        }
        ET_TRY(check(groups.scaleKey, scales));
        scales.scalarType = groups.zeroPointType;
        return groups.zeroPointKey.empty() ? Result<>() : check(groups.zeroPointKey, scales);
    }

    const FindTensor& find;
    std::string field;
};

}  // namespace

Result<> checkConstants(const Program& program, const FindTensor& find) {
    for (const Method& method : program.methods) {
        const ConstantCheck check(find, fmt::format("method {}", core::printable(method.name)));
        for (const Constant& constant : method.constants) {
            ET_TRY(check.check(constant.key, constant.meta));
        }
    }
    return {};
}

}  // namespace et::native
