#pragma once

#include "etrecord/record.h"
#include "inspector/join/evidence.h"
#include "inspector/join/graph_operators.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector::detail {

/// What a record says of one method. Null members: it says nothing.
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

/// How well a method explains what ran: the fewer contradictions the better, then the fewer kernels at
/// instructions that it does not map, then the more calls whose operator it names.
struct MethodFit {
    std::size_t contradictions = 0;
    std::size_t unmapped = 0;
    std::size_t matched = 0;
    std::string first;  ///< the first contradiction, for people; empty: none

    [[nodiscard]] bool betterThan(const MethodFit& other) const;
    [[nodiscard]] bool asGoodAs(const MethodFit& other) const;
};

/// `backends` say what names of events in delegates mean. `budget` bounds the work that hostile files can ask
/// for, over all calls; when it is used up, everything fits.
[[nodiscard]] MethodFit fitOf(const Evidence& evidence, const Candidate& candidate, bool recordHasDelegateMap,
                              std::span<const executor::Backend* const> backends, std::size_t& budget);

}  // namespace et::inspector::detail
