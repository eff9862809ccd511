#pragma once

#include "etrecord/record.h"
#include "inspector/join/evidence.h"
#include "inspector/join/graph_operators.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector::join::detail {

/// The record's data about one method. Null members: not in the record.
struct MethodView {
    std::string_view name;
    const etrecord::MethodMaps* maps = nullptr;
    const etrecord::ExportedGraph* graph = nullptr;
};

/// A method that a block may have run.
struct Candidate {
    MethodView method;
    GraphOperators operators;  ///< of the method's graph
};

/// How well a method explains a run. Ranked by fewest contradictions, then fewest kernels at instructions
/// that it does not map, then most calls whose operator it names.
struct MethodFit {
    std::size_t contradictions = 0;
    std::size_t unmapped = 0;
    std::size_t matched = 0;
    std::string first;  ///< the first contradiction, for messages; empty: none

    [[nodiscard]] bool betterThan(const MethodFit& other) const;
    [[nodiscard]] bool asGoodAs(const MethodFit& other) const;
};

/// `backends` interpret the names of delegated events. `budget` bounds the total work over all calls, against
/// malicious files; once it is used up, every method fits.
[[nodiscard]] MethodFit fitOf(const Evidence& evidence, const Candidate& candidate, bool recordHasDelegateMap,
                              std::span<const executor::Backend* const> backends, std::size_t& budget);

}  // namespace et::inspector::join::detail
