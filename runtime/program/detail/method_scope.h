#pragma once

#include "runtime/core/flat_view.h"
#include "runtime/core/result.h"
#include "runtime/program/detail/tensor_source.h"
#include "runtime/program/method.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

namespace et::program::detail {

/// Context for reading a method.
struct MethodScope {
    core::FlatView& view;
    const TensorSource& tensors;
    const std::vector<Arena>& arenas;
    std::size_t valueCount = 0;
    std::size_t operatorCount = 0;
    std::size_t delegateCount = 0;
};

/// Converts `index` to an id below `count`; `what` names the counted items ("values"). Errors: Format.
template <class Id>
[[nodiscard]] core::Result<Id> checkedId(const core::FlatView& view, std::int64_t index, std::size_t count,
                                         std::string_view what, const core::FieldPath& path,
                                         const void* place) {
    if (index < 0 || static_cast<std::uint64_t>(index) >= count) {
        return view.fail(core::ErrorCode::Format, path, place,
                         fmt::format("expected one of {} {}, got {}", count, what, index));
    }
    return Id(static_cast<typename Id::ValueType>(index));
}

[[nodiscard]] inline core::Result<ValueId> valueId(const MethodScope& scope, std::int64_t index,
                                                   const core::FieldPath& path, const void* place) {
    return checkedId<ValueId>(scope.view, index, scope.valueCount, "values", path, place);
}

/// Converts a vector of value indices (int or long), checking each.
template <class Index>
[[nodiscard]] core::Result<std::vector<ValueId>> valueIds(MethodScope& scope,
                                                          const flatbuffers::Vector<Index>* indices,
                                                          const core::FieldPath& path) {
    return scope.view.map(indices, path, [&](Index index, const core::FieldPath& at) {
        return valueId(scope, index, at, indices);
    });
}

}  // namespace et::program::detail
